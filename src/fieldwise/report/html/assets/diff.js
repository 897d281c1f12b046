// Two texts side by side: lines are matched first, then words within lines that changed, then the letters
// of words that are much alike. Longest common subsequences, bounded: past LARGEST all counts as changed.

const LARGEST = 4_000_000;
const FOLDED = 12;
const AROUND = 3;

/** The pairs of positions at which two sequences have the same, as long as can be. */
function common(a, b) {
  let start = 0, endA = a.length, endB = b.length;
  while (start < endA && start < endB && a[start] === b[start]) start++;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) { endA--; endB--; }
  const pairs = [];
  for (let at = 0; at < start; at++) pairs.push([at, at]);
  pairs.push(...middle(a.slice(start, endA), b.slice(start, endB)).map(([i, j]) => [i + start, j + start]));
  for (let at = 0; at < a.length - endA; at++) pairs.push([endA + at, endB + at]);
  return pairs;
}

function middle(a, b) {
  const n = a.length, m = b.length;
  if (n === 0 || m === 0 || n * m > LARGEST) return [];
  const wide = m + 1, table = new Uint32Array((n + 1) * wide);
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      table[i * wide + j] = a[i] === b[j]
        ? table[(i + 1) * wide + j + 1] + 1
        : Math.max(table[(i + 1) * wide + j], table[i * wide + j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < n && j < m;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (table[(i + 1) * wide + j] >= table[i * wide + j + 1]) i++;
    else j++;
  }
  return pairs;
}

/** Walk both sequences: `same(i, j)` for what they share, `apart(i0, i1, j0, j1)` for what lies between. */
function walk(a, b, same, apart) {
  let i = 0, j = 0;
  for (const [nextI, nextJ] of [...common(a, b), [a.length, b.length]]) {
    if (i < nextI || j < nextJ) apart(i, nextI, j, nextJ);
    if (nextI < a.length && nextJ < b.length) same(nextI, nextJ);
    i = nextI + 1;
    j = nextJ + 1;
  }
}

/** Lines of two texts as rows [left, right, changed]; a side without the line is null. */
function lineRows(left, right) {
  const a = left.split("\n"), b = right.split("\n"), found = [];
  // A comma at the end of a line of JSON says only that more follows.
  const bare = (line) => line.replace(/,$/, "");
  walk(a.map(bare), b.map(bare), (i, j) => found.push([a[i], b[j], false]), (i, toI, j, toJ) => {
    for (; i < toI || j < toJ; i++, j++) found.push([i < toI ? a[i] : null, j < toJ ? b[j] : null, true]);
  });
  return found;
}

const WORDS = /\s+|-?\d[\d.,]*\d|[\p{L}\p{N}_]+|[^]/gu;
const DIGIT = /\d/;

/** Two lines as two lists of [text, marked]. */
function wordParts(left, right) {
  const a = left.match(WORDS) ?? [], b = right.match(WORDS) ?? [];
  const mine = [], yours = [];
  walk(a, b,
    (i, j) => { add(mine, a[i], false); add(yours, b[j], false); },
    (i, toI, j, toJ) => {
      const one = a.slice(i, toI).join(""), other = b.slice(j, toJ).join("");
      if (toI - i === 1 && toJ - j === 1 && letterParts(one, other, mine, yours)) return;
      add(mine, one, true);
      add(yours, other, true);
    });
  return [mine, yours];
}

/** Mark the letters that differ, if two words are much alike; return whether they are. A number is one thing. */
function letterParts(left, right, mine, yours) {
  if (DIGIT.test(left) || DIGIT.test(right)) return false;
  const a = [...left], b = [...right];
  if (2 * common(a, b).length < Math.max(a.length, b.length) || a.length > 200 || b.length > 200) return false;
  walk(a, b,
    (i, j) => { add(mine, a[i], false); add(yours, b[j], false); },
    (i, toI, j, toJ) => { add(mine, a.slice(i, toI).join(""), true); add(yours, b.slice(j, toJ).join(""), true); });
  return true;
}

function add(parts, text, marked) {
  if (text === "") return;
  const last = parts[parts.length - 1];
  if (last !== undefined && last[1] === marked) last[0] += text;
  else parts.push([text, marked]);
}

// --------------------------------------------------------------------------------------------- shown

/** Two texts side by side under two headings; texts that are the same are shown once. */
function beside(headings, left, right, label) {
  if (left === right) {
    return el("div", { class: "agreed" }, el("p", { class: "note" }, label), el("pre", {}, printable(left)));
  }
  const body = el("tbody", { role: "rowgroup" });
  for (const part of foldedRows(lineRows(left, right))) body.append(part);
  const heads = headings.map((name) => el("th", { scope: "col", role: "columnheader" }, name));
  const head = el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heads));
  return el("table", { class: "diff", role: "table", "aria-label": headings.join(" beside ") }, head, body);
}

/** Rows as elements; long runs of equal lines are folded behind a button. */
function* foldedRows(found) {
  for (let at = 0; at < found.length;) {
    let end = at;
    while (end < found.length && !found[end][2]) end++;
    const from = at === 0 ? at : at + AROUND, to = end === found.length ? end : end - AROUND;
    if (to - from > FOLDED) {
      for (; at < from; at++) yield lineRow(found[at]);
      yield fold(found.slice(from, to));
      at = to;
    }
    for (; at < end; at++) yield lineRow(found[at]);
    for (; at < found.length && found[at][2]; at++) yield lineRow(found[at]);
  }
}

function fold(hiddenRows) {
  const button = el("button", { type: "button", class: "plain" }, `Show ${counted(hiddenRows.length, "equal line")}`);
  const row = el("tr", { class: "fold", role: "row" }, el("td", { colspan: 2, role: "cell" }, button));
  button.addEventListener("click", () => row.replaceWith(...hiddenRows.map(lineRow)));
  return row;
}

function lineRow([left, right, changed]) {
  if (!changed) return el("tr", { class: "same", role: "row" }, lineCell([[left, false]], "del"), lineCell([[right, false]], "ins"));
  const parts = left === null || right === null
    ? [left, right].map((text) => (text === null ? null : [[text, true]]))
    : wordParts(left, right);
  const row = el("tr", { class: "changed", role: "row" }, lineCell(parts[0], "del"), lineCell(parts[1], "ins"));
  row.firstChild.prepend(unseen("differs: "));
  return row;
}

function lineCell(parts, tag) {
  if (parts === null) return el("td", { class: "absent", role: "cell" }, unseen("nothing"));
  const texts = parts.map(([text, marked]) => (marked ? el(tag, {}, printable(text)) : printable(text)));
  return el("td", { class: tag === "del" ? "left" : "right", role: "cell" }, texts);
}
