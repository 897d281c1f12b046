// The table of items: filters, order, and the rows near the window; the others are two gaps of their height.
// One row's button is the way in for Tab; arrow keys move it.

const COLUMNS_OF_EVALUATORS = 6;
const AHEAD = 10;
const PRINTED = 2000;

const table = byId("table");
const head = table.tHead;
const body = table.tBodies[0];
const above = el("tr", { class: "gap", "aria-hidden": "true" }, el("td"));
const below = el("tr", { class: "gap", "aria-hidden": "true" }, el("td"));

const wanted = { text: "", evaluator: "", verdict: "", status: "", change: "", from: null, to: null };
const order = { column: null, down: false };
const drawnRows = new Map();
let shownRows = [];
let active = 0;
let height = 44;
let printing = false;

// ------------------------------------------------------------------------------------------- columns

// Which verdicts come first: fail, partial, not graded, pass. One that is -1 was skipped and has none.
const URGENCY = [3, 1, 0, 2];

/** The columns: a heading, the values that order them, and a cell of a row. */
function columns() {
  const chosen = columnsOf(wanted.evaluator);
  const found = [
    { name: "Item", values: namesRanked, cell: itemCell, class: "item" },
    { name: "Result", values: () => chosen.marks.map((mark) => URGENCY[mark]), cell: (row) => verdictCell(chosen.marks[row], row), class: "verdict" },
    { name: "Score", values: () => chosen.scores, cell: (row) => scoreCell(chosen.scores[row]), class: "score" },
  ];
  if (compared) {
    found.push({ name: "Change", values: () => chosen.changes, cell: (row) => changeCell(chosen.changes[row]), class: "change" });
  }
  if (rows.evaluators.length > 1) {
    rows.evaluators.slice(0, COLUMNS_OF_EVALUATORS).forEach((one, at) => {
      const cell = (row) => smallCell(one.scores[row], one.marks[row]);
      found.push({ name: one.name, values: () => one.scores, cell, class: `one one-${at}` });
    });
  }
  return found;
}

function itemCell(row) {
  const repeat = rows.repeated ? ` \u00b7 run ${rows.repeats[row] + 1}` : "";
  const id = rows.ids[row] === rows.names[row] ? repeat.slice(3) : rows.ids[row] + repeat;
  const button = el("button", { type: "button", class: "open", tabindex: -1 }, printable(rows.names[row]) || "(no name)");
  return el("th", { scope: "row", class: "item" }, button, id === "" ? null : el("span", { class: "id" }, printable(id)));
}

function verdictCell(mark, row) {
  const wrong = rows.wrong[row].map((one) => rows.statuses[one]).join(", ");
  const label = mark < 0 ? null : chip(rows.verdicts[mark]);
  return el("td", { class: "verdict" }, label, wrong === "" ? null : el("span", { class: "wrong" }, wrong));
}

function scoreCell(score) {
  const cell = el("td", { class: "score number" }, figure(score));
  if (score !== null && score >= 0 && score <= 1) {
    const fill = drawn("rect", { class: "fill", width: 100 * score, height: 4 });
    const track = drawn("rect", { class: "track", width: 100, height: 4 });
    const box = { class: "mini", viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" };
    cell.append(drawn("svg", box, track, fill));
  }
  return cell;
}

function changeCell(change) {
  const way = change > 0 ? "better" : change < 0 ? "worse" : "same";
  return el("td", { class: `change number is-${way}` }, signed(change));
}

function smallCell(score, mark) {
  const name = mark < 0 ? "skipped" : rows.verdicts[mark].replace(" ", "-");
  const text = score === null ? (mark < 0 ? "" : "\u2013") : figure(score);
  return el("td", { class: `one number is-${name}` }, text);
}

/** Headings with a button each; `aria-sort` says what the order is. */
function drawHead() {
  const cells = columns().map((column, at) => {
    const sorted = order.column === at ? (order.down ? "descending" : "ascending") : "none";
    const button = el("button", { type: "button" }, el("span", {}, printable(column.name)), el("span", { class: "arrow", "aria-hidden": "true" }));
    button.addEventListener("click", () => sortBy(at));
    return el("th", { scope: "col", "aria-sort": sorted, class: column.class, title: column.name }, button);
  });
  const focused = [...head.querySelectorAll("button")].indexOf(document.activeElement);
  head.replaceChildren(el("tr", { "aria-rowindex": 1 }, cells));
  if (focused >= 0) head.querySelectorAll("button")[focused]?.focus();
}

/** Up, down, then the order of the run again; scores begin with the lowest: what to look at first. */
function sortBy(column) {
  if (order.column !== column) Object.assign(order, { column, down: false });
  else if (!order.down) order.down = true;
  else Object.assign(order, { column: null, down: false });
  refresh();
}

// ----------------------------------------------------------------------------------------------- rows

/** Filter, sort and draw anew. */
function refresh() {
  const column = order.column === null ? null : columns()[order.column];
  shownRows = ordered(fitting(wanted), column === null ? null : column.values(), order.down);
  active = 0;
  drawHead();
  for (const row of drawnRows.values()) row.remove();
  drawnRows.clear();
  gap(below, shownRows.length, 1); // the page stays as long as it will be, so that it does not scroll
  table.setAttribute("aria-rowcount", shownRows.length + 1);
  const said = shownRows.length === total ? counted(total, "item") : `${grouped.format(shownRows.length)} of ${counted(total, "item")}`;
  byId("matches").textContent = wanted.evaluator === "" ? said : `${said}, as ${columnsOf(wanted.evaluator).name} has them`;
  byId("empty").hidden = shownRows.length > 0;
  draw();
}

/** Draw the rows near the window, and take away the others; on paper there are all, up to PRINTED. */
function draw() {
  const everything = printing && shownRows.length <= PRINTED;
  const top = body.getBoundingClientRect().top;
  const count = shownRows.length;
  const first = everything ? 0 : Math.min(Math.max(0, Math.floor(-top / height) - AHEAD), Math.max(0, count - 1));
  const last = everything ? count : Math.min(count, Math.max(0, Math.ceil((innerHeight - top) / height)) + AHEAD);
  for (const [at, row] of drawnRows) {
    if (at < first || at >= last) { row.remove(); drawnRows.delete(at); }
  }
  if (above.parentNode === null) body.append(above, below);
  let before = above;
  const made = columns();
  for (let at = first; at < last; at++) {
    if (!drawnRows.has(at)) drawnRows.set(at, drawRow(at, made));
    const row = drawnRows.get(at);
    if (before.nextSibling !== row) before.after(row);
    before = row;
  }
  const wide = [...head.rows[0].cells].filter((cell) => cell.offsetWidth > 0).length;
  gap(above, first, wide);
  gap(below, Math.max(0, count - Math.max(last, first)), wide);
  markActive(first, last);
}

function drawRow(at, made) {
  const row = shownRows[at];
  const node = el("tr", { "aria-rowindex": at + 2, class: at % 2 ? "odd" : null }, made.map((column) => column.cell(row)));
  node.dataset.at = at;
  return node;
}

function gap(node, count, wide) {
  node.hidden = count === 0;
  node.firstChild.colSpan = wide;
  node.firstChild.style.height = `${count * height}px`;
}

/** Tab reaches one row: the active one, or the first that is drawn where that is far away. */
function markActive(first, last) {
  const at = active >= first && active < last ? active : first;
  for (const [place, row] of drawnRows) row.querySelector("button").tabIndex = place === at ? 0 : -1;
}

/** Make a row the active one, in sight and focused. */
function focusRow(at) {
  if (shownRows.length === 0) return;
  active = Math.min(Math.max(0, at), shownRows.length - 1);
  const top = body.getBoundingClientRect().top + active * height;
  const roof = head.getBoundingClientRect().height;
  if (top < roof) scrollBy(0, top - roof);
  else if (top + height > innerHeight) scrollBy(0, top + height - innerHeight);
  draw();
  drawnRows.get(active)?.querySelector("button").focus({ preventScroll: true });
}

const MOVES = {
  ArrowDown: () => active + 1,
  ArrowUp: () => active - 1,
  PageDown: () => active + pageOf(),
  PageUp: () => active - pageOf(),
  Home: () => 0,
  End: () => shownRows.length - 1,
};
const pageOf = () => Math.max(1, Math.floor(innerHeight / height) - 2);

function onRowKey(event) {
  const move = MOVES[event.key];
  if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  focusRow(move());
}

/** Rows are as high as the style makes them, which a narrow window changes. */
function measure() {
  const row = drawnRows.values().next().value;
  const found = row === undefined ? 0 : row.getBoundingClientRect().height;
  if (found > 0 && found !== height) {
    height = found;
    draw();
  }
}
