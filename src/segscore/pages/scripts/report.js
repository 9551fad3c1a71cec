// How the report behaves. No framework, no network; names and texts are set as text, never as
// markup. The page can be read without this script, except for the documents and the consensus.

/** @param {Data} data */
function start(data) {
  const state = newState(data);
  listen(state);
  if (data.documents.length) {
    need("explorer").hidden = false;
    show(state);
    drawList(state);
    window.addEventListener("hashchange", () => {
      if (location.hash.includes("=")) show(state);
    });
  }
  drawConsensus(state);
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
    [["n"], "next place of the open document", () => walk(state, 1)],
    [["p"], "previous place", () => walk(state, -1)],
    [["j"], "next document", () => moveInList(state, 1, false)],
    [["k"], "previous document", () => moveInList(state, -1, false)],
  ]);
  printChosen(state);
}

/** Show what the address says. @param {State} state */
function show(state) {
  const listed = () => JSON.stringify([state.metric, [...state.hidden].sort()]); // what the list depends on
  const before = listed();
  const asked = readAddress(state);
  state.document ??= state.data.documents[0].name;
  drawControls(state);
  if (listed() !== before) drawList(state);
  markOpen(state);
  drawDocument(state);
  hideUnticked(state);
  if (!asked) return;
  writeAddress(state); // with what it does not say, too
  if (state.at === null) toHead(state);
}

makeSortable();
loadData().then((data) => {
  if (byId("explorer")) start(data); // documents that were only added up have no place to show
}).catch((error) => {
  const why = `The documents cannot be shown in this browser (${error}).`;
  byId("documents")?.append(el("p", { class: "missing" }, why));
}).finally(() => document.documentElement.setAttribute("data-ready", ""));
