// Elements and numbers. Elements are made of text nodes and attributes; nothing reads markup.

const byId = (id) => document.getElementById(id);

/** Make an element; attributes that are null or false are left out, children that are null as well. */
function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Make an element of SVG. */
function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** Text for screen readers alone. */
const unseen = (text) => el("span", { class: "hidden" }, text);

/** A score with three decimals, of which only 1 reads as 1. */
function figure(score) {
  if (score === null || score === undefined) return "\u2013";
  return (score < 1 ? Math.min(score, 0.999) : score).toFixed(3);
}

/** A difference with its sign; only none at all reads as 0. */
function signed(change) {
  if (change === null || change === undefined) return "\u2013";
  if (change === 0) return "0.000";
  return (change < 0 ? "\u2212" : "+") + Math.max(Math.abs(change), 0.001).toFixed(3);
}

const grouped = new Intl.NumberFormat("en");

/** How many of a thing there are. */
const counted = (number, one) => `${grouped.format(number)} ${number === 1 ? one : one + "s"}`;

const UNPRINTED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]/gu;

/** Text with what does not print, or turns the direction of writing, as escapes. */
function printable(text) {
  return text.replace(UNPRINTED, (sign) => "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** A label with a mark of its own, so that colour is never all there is. */
const SIGNS = { pass: "\u2713", partial: "\u223c", fail: "\u2715", "not graded": "\u2013" };

function chip(verdict) {
  const name = verdict.replace(" ", "-");
  return el("span", { class: `chip is-${name}` }, el("span", { "aria-hidden": "true" }, SIGNS[verdict]), ` ${verdict}`);
}
