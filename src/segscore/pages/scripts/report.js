// How the report behaves. No framework, no network; names and texts are set as text, never as
// markup. The page can be read without this script, except for the documents and the consensus.

/** @param {Data} data */
function start(data) {
  const state = newState(data);
  listen(state);
  if (data.documents.length) {
    /** @type {HTMLElement} */ (byId("explorer")).hidden = false;
    show(state, true);
    window.addEventListener("hashchange", () => {
      if (location.hash.includes("=")) show(state, false);
    });
  }
  drawConsensus(state, () => ruleChanged(state), (name) => openDocument(state, name, false));
}

/** @param {State} state */
function listen(state) {
  state.controls.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("resize", () => measureHead(state));
  state.list.box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moveInList(state, step, true);
  });
  actOnKeys([
    keyRow(["n"], "next place of the open document", () => walk(state, 1)),
    keyRow(["p"], "previous place", () => walk(state, -1)),
    keyRow(["j"], "next document", () => moveInList(state, 1, false)),
    keyRow(["k"], "previous document", () => moveInList(state, -1, false)),
  ]);
  printChosen(state);
}

/** Show what the address says. @param {State} state @param {boolean} first whether nothing is
 * drawn yet */
function show(state, first) {
  const before = listState(state);
  const asked = readAddress(state);
  if (state.document === null) state.document = state.data.documents[0].name;
  drawControls(state);
  state.contested.clear();
  if (first || listState(state) !== before) drawList(state);
  else markOpen(state);
  drawDocument(state);
  hideUnticked(state);
  if (asked) writeAddress(state); // with what it does not say, too
  if (asked && state.at === null) toHead(state);
}

/** What the list depends on. @param {State} state */
function listState({ filter, hidden, metric, order }) {
  return JSON.stringify([metric, order.key, order.sign, filter, [...hidden].sort()]);
}

makeSortable();
loadData().then((data) => {
  if (byId("explorer")) start(data); // documents that were only added up have no place to show
}).catch((error) => {
  const why = `The documents cannot be shown in this browser (${error}).`;
  byId("documents")?.append(el("p", { class: "missing" }, why));
}).finally(() => document.documentElement.setAttribute("data-ready", ""));
