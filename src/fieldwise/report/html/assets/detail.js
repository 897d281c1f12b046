// One item, opened: what was expected beside what came, the results, the inputs, the spans.

const dialog = byId("detail");
let opened = 0;

/** Open the row at a place of the table. */
function openRow(at) {
  opened = at;
  dialog.replaceChildren(...page(shownRows[at]));
  dialog.scrollTop = 0;
  if (!dialog.open) dialog.showModal();
  byId("detail-title").focus();
}

function step(by) {
  const at = opened + by;
  if (at >= 0 && at < shownRows.length) openRow(at);
}

function page(row) {
  const found = detailOf(row);
  return [
    heading(row, found),
    el("div", { class: "panel" },
      found.outcome === "" && found.error === "" ? null : failure(found),
      ...found.sides.map(([names, expected, got]) => part(
        "Expected beside got", names.join(", "), beside(["Expected", "Got"], expected, got, "Got what was expected"))),
      resultsPart(found),
      besidePart(found),
      part("Inputs", "", el("pre", {}, printable(found.inputs))),
      found.sides.some(([, , got]) => got === found.output) ? null : part("Output", "", el("pre", {}, printable(found.output))),
      ...found.criteria.map(([names, text]) => part("Criteria", names.join(", "), el("pre", {}, printable(text)))),
      found.spans.length === 0 ? null : part("Spans", counted(found.spans.length, "span"), timeline(found.spans)),
    ),
  ];
}

function heading(row, found) {
  const button = (text, label, act, off = false) => {
    const node = el("button", { type: "button", class: "plain", "aria-label": label, title: label, disabled: off }, text);
    node.addEventListener("click", act);
    return node;
  };
  const facts = [chip(rows.verdicts[rows.marks[row]]), `score ${figure(rows.scores[row])}`];
  if (compared && rows.changes[row] !== null) facts.push(`change ${signed(rows.changes[row])}`);
  if (found.took !== "") facts.push(found.took);
  facts.push(el("span", { class: "id" }, printable(rows.ids[row])));
  return el("header", { class: "detail-head" },
    el("div", { class: "detail-name" },
      el("h2", { id: "detail-title", tabindex: -1 }, printable(rows.names[row]) || "(no name)"),
      el("p", { class: "facts" }, facts.map((fact) => el("span", {}, fact)))),
    el("div", { class: "detail-keys" },
      el("span", { class: "note" }, `${grouped.format(opened + 1)} of ${grouped.format(shownRows.length)}`),
      button("\u2039", "Previous item", () => step(-1), opened === 0),
      button("\u203a", "Next item", () => step(1), opened === shownRows.length - 1),
      button("\u00d7", "Close", () => dialog.close())));
}

function part(title, note, ...content) {
  const name = el("h3", {}, title, note === "" ? null : el("span", { class: "note" }, ` ${printable(note)}`));
  return el("section", {}, name, ...content);
}

function failure(found) {
  return el("section", { class: "failure" },
    el("h3", {}, found.outcome === "" ? "Error" : `No answer: ${found.outcome}`),
    el("pre", {}, printable(found.error)));
}

// ------------------------------------------------------------------------------------------- results

/** Every result with what is said of it; beside another run, its scores as well. */
function resultsPart(found) {
  if (found.results.length === 0) return null;
  const other = found.beside === null ? null : found.beside[3];
  const heads = ["Evaluator", "Result", "Score", ...(other === null ? [] : ["Other"]), "Why"];
  const numeric = new Set(["Score", "Other"]);
  const cells = heads.map((name) => el("th", { scope: "col", role: "columnheader", class: numeric.has(name) ? "number" : null }, name));
  const lines = found.results.flatMap(([at, some]) => some.map((one) => resultRow(at, one, other)));
  return part("Results", "", el("div", { class: "scroll" },
    el("table", { class: "results", role: "table", "aria-label": "Results" },
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, cells)), el("tbody", { role: "rowgroup" }, lines))));
}

function resultRow(evaluator, [field, score, verdict, status, said, comparator], other) {
  const name = rows.evaluators[evaluator].name;
  const there = other === null ? undefined : other[evaluator];
  const whole = field === "";
  const why = [said, status === "" ? "" : `(${status})`].filter((text) => text !== "").join(" ");
  const cell = (kind, ...content) => el("td", { class: kind, role: "cell" }, content);
  return el("tr", { class: whole ? "whole" : null, role: "row" },
    el("th", { scope: "row", role: "rowheader" }, whole ? printable(name) : unseen(printable(name)),
      whole ? null : el("span", { class: "field" }, printable(field)),
      comparator === "" ? null : el("span", { class: "note" }, ` ${printable(comparator)}`)),
    cell(null, chip(rows.verdicts[verdict])),
    cell("number", figure(score)),
    other === null ? null : cell("number other", whole && there ? figure(there[0]) : ""),
    cell("why", printable(why)));
}

/** What the other run answered, beside what this one did. */
function besidePart(found) {
  if (!compared) return null;
  const [here, there] = rows.titles;
  if (found.beside === null) return part("Beside the other run", "", el("p", { class: "note" }, "The other run does not have this item."));
  const [outcome, error] = found.beside;
  const wrong = outcome === "" ? null : el("p", { class: "wrong" }, printable(`${there}: ${outcome} ${error}`));
  return part("Beside the other run", "", wrong, beside([there, here].map(printable), found.otherOutput, found.output, "Both runs gave the same output"));
}

// ---------------------------------------------------------------------------------------------- spans

/** A line for each span: its name, a bar from its start to its end, how long it took. */
function timeline(spans) {
  const ends = spans.map(([, , start, took]) => (start ?? 0) + (took ?? 0));
  const whole = Math.max(...ends, 0.001);
  return el("ol", { class: "spans" }, spans.map((one) => spanLine(one, whole)));
}

function spanLine([name, depth, start, took, error, attributes], whole) {
  const label = el("span", { class: "span-name" }, printable(name) || "(no name)");
  label.style.paddingInlineStart = `${depth * 0.9}rem`;
  const line = [label, spanBar(start, took, error, whole), el("span", { class: "number" }, duration(took))];
  const more = [
    error === "" ? null : el("p", { class: "wrong" }, printable(error)),
    attributes === "" ? null : el("pre", {}, printable(attributes)),
  ].filter((node) => node !== null);
  if (more.length === 0) return el("li", {}, el("div", { class: "span" }, line));
  return el("li", {}, el("details", { open: error !== "" && attributes === "" }, el("summary", { class: "span" }, line), more));
}

function spanBar(start, took, error, whole) {
  const box = { class: "span-bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" };
  const rects = [drawn("rect", { class: "track", x: 0, y: 4.5, width: 100, height: 1 })];
  if (start !== null) {
    const wide = Math.max((100 * (took ?? 0)) / whole, 0.6);
    const x = Math.min((100 * start) / whole, 99.4);
    rects.push(drawn("rect", { class: error === "" ? "fill" : "fill failed", x, y: 1.5, width: wide, height: 7 }));
  }
  return drawn("svg", box, rects);
}

function duration(ms) {
  if (ms === null) return "\u2013";
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
