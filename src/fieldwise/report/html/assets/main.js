// The start: filters are filled and listened to, rows are drawn, text is read ahead.

function options(id, names) {
  byId(id).append(...names.map(([value, name]) => el("option", { value }, printable(name))));
}

function number(id) {
  const found = byId(id).valueAsNumber;
  return Number.isNaN(found) ? null : found;
}

/** Read the filters and show what fits. */
function filter() {
  for (const id of ["text", "evaluator", "verdict", "status"]) wanted[id] = byId(id).value;
  if (compared) wanted.change = byId("change").value;
  wanted.from = number("from");
  wanted.to = number("to");
  const started = performance.now();
  refresh();
  document.documentElement.dataset.took = (performance.now() - started).toFixed(1);
  if (body.getBoundingClientRect().top < 0) goToItems();
}

/** Bring the items into the window, with their rows there at once: a scroll event comes a frame later. */
function goToItems() {
  byId("items").scrollIntoView();
  draw();
}

/** Set one filter, all others clear, and go to the items. */
function show(id, value) {
  byId("filters").reset();
  byId(id).value = value;
  filter();
  goToItems();
  byId("items").focus({ preventScroll: true });
}

function listen() {
  const form = byId("filters");
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  byId("clear").addEventListener("click", () => { form.reset(); filter(); });
  body.addEventListener("keydown", onRowKey);
  body.addEventListener("focusin", (event) => {
    const row = event.target.closest("tr");
    if (row?.dataset.at !== undefined) active = Number(row.dataset.at);
  });
  body.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (row?.dataset.at !== undefined && getSelection().isCollapsed) openRow(Number(row.dataset.at));
  });
  for (const key of document.querySelectorAll("[data-verdict]")) {
    key.addEventListener("click", () => show("verdict", rows.verdicts.indexOf(key.dataset.verdict)));
  }
  for (const key of document.querySelectorAll("[data-change]")) {
    key.addEventListener("click", () => show("change", key.dataset.change));
  }
  let waiting = false;
  const later = () => {
    if (!waiting) requestAnimationFrame(() => { waiting = false; measure(); draw(); });
    waiting = true;
  };
  addEventListener("scroll", later, { passive: true });
  addEventListener("resize", later);
  const print = (on) => () => { printing = on; draw(); };
  addEventListener("beforeprint", print(true));
  addEventListener("afterprint", print(false));
}

function listenDetail() {
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => focusRow(opened));
  dialog.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "ArrowRight") step(1);
  });
}

options("evaluator", rows.evaluators.map((one, at) => [at, one.name]));
options("verdict", rows.verdicts.map((name, at) => [at, name]));
options("status", rows.statuses.map((name, at) => [at, name]));
listen();
listenDetail();
filter();
measure();
document.documentElement.dataset.ready = performance.now().toFixed(1);
setTimeout(readAhead, 50);
