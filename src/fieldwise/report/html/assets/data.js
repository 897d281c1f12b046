// The data of the page: columns of rows, read at once, and details, one line each, read when opened.

const rows = JSON.parse(byId("rows").textContent);
const total = rows.ids.length;
const compared = rows.titles[1] !== null;

let lines = null;

/** What opening a row shows; what stands where is said in _items.py. */
function detailOf(row) {
  if (lines === null) lines = byId("details").textContent.split("\n");
  const line = lines[row + 1];
  const found = JSON.parse(line.endsWith(",") ? line.slice(0, -1) : line);
  const [texts, outcome, error, took, inputs, output, sides, criteria, results, beside, spans] = found;
  return {
    texts, outcome, error, took, results, beside, spans,
    inputs: texts[inputs],
    output: texts[output],
    sides: sides.map(([names, expected, got]) => [names, texts[expected], texts[got]]),
    criteria: criteria.map(([names, text]) => [names, texts[text]]),
    otherOutput: beside === null ? null : texts[beside[2]],
  };
}

/** The columns that hold for the chosen evaluator, or for items as wholes. */
function columnsOf(evaluator) {
  return evaluator === "" ? rows : rows.evaluators[Number(evaluator)];
}

// ------------------------------------------------------------------------------------------ search

const texts = new Array(total);
let indexed = 0;

/** All text of a row that a search looks through, in lower case. */
function textOf(row) {
  if (texts[row] === undefined) {
    const found = detailOf(row);
    const parts = [rows.names[row], rows.ids[row]];
    gather([found.outcome, found.error, found.texts, found.results, found.beside], parts);
    texts[row] = parts.join("\n").toLowerCase();
  }
  return texts[row];
}

function gather(value, parts) {
  if (typeof value === "string") parts.push(value);
  else if (Array.isArray(value)) for (const one of value) gather(one, parts);
}

/** Read text ahead while the page is idle, so that the first search need not. */
function readAhead() {
  const until = performance.now() + 12;
  while (indexed < total && performance.now() < until) textOf(indexed++);
  if (indexed < total) setTimeout(readAhead, 4);
  else document.documentElement.dataset.searchable = "yes";
}

// ------------------------------------------------------------------------------- filtering and order

/** The rows that fit, in the order of the run. */
function fitting(wanted) {
  const { scores, marks, changes } = columnsOf(wanted.evaluator);
  const query = wanted.text.trim().toLowerCase();
  const tests = [];
  if (wanted.evaluator !== "") tests.push((row) => marks[row] >= 0);
  if (wanted.verdict !== "") tests.push((row) => marks[row] === Number(wanted.verdict));
  if (wanted.status !== "") tests.push((row) => rows.wrong[row].includes(Number(wanted.status)));
  if (wanted.from !== null) tests.push((row) => scores[row] !== null && scores[row] >= wanted.from);
  if (wanted.to !== null) tests.push((row) => scores[row] !== null && scores[row] <= wanted.to);
  if (wanted.change) tests.push((row) => CHANGES[wanted.change](changes[row]));
  if (query !== "") tests.push((row) => textOf(row).includes(query));
  const found = [];
  for (let row = 0; row < total; row++) if (tests.every((test) => test(row))) found.push(row);
  return found;
}

const CHANGES = {
  better: (change) => change > 0,
  worse: (change) => change !== null && change < 0,
  same: (change) => change === 0,
  none: (change) => change === null,
};

/** Put rows into order; those without a value come last either way, and equal ones stay as they were. */
function ordered(found, values, down) {
  if (values === null) return down ? found.reverse() : found;
  const sign = down ? -1 : 1;
  return found.sort((a, b) => {
    const left = values[a], right = values[b];
    if (left === right) return a - b;
    if (left === null || left === undefined) return 1;
    if (right === null || right === undefined) return -1;
    return left < right ? -sign : sign;
  });
}

let ranks = null;

/** The place of each row in the order of names, as people sort them. */
function namesRanked() {
  if (ranks === null) {
    const compare = new Intl.Collator("en", { numeric: true }).compare;
    const order = rows.names.map((_, row) => row).sort((a, b) => compare(rows.names[a], rows.names[b]) || a - b);
    ranks = new Array(total);
    order.forEach((row, place) => { ranks[row] = place; });
  }
  return ranks;
}
