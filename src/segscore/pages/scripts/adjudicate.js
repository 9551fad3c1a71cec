// The page of `segscore adjudicate`: one decision per place, and the gold that follows.

/** @param {AdjudicationData} data */
function start(data) {
  const documents = new Map(data.documents.map((doc) => [doc.key, doc]));
  const draw = () => drawKeeping(keeping, (key) => documents.get(key)?.name ?? key);
  const keeping = startKeeping(data.page, data.coder, draw, (key, work) => followOther(state, key, work));
  remember(data.page, "title", data.title);
  const works = new Map(data.documents.flatMap((doc) => {
    const kept = keptWork(keeping, doc.key, emptyWork());
    return kept ? [[doc.key, fittingWork(doc, kept)]] : [];
  }));
  /** @type {State} */
  const state = { data, documents, works, keeping, history: { done: [], undone: [] }, at: null, commenting: null,
    places: new Map(data.documents.map((doc) => [doc.key, placesByPosition(doc)])), open: data.documents[0] };
  state.open = data.documents.find((doc) => openPlaces(state, doc).length) ?? state.open;
  listen(state);
  if (window.matchMedia("(max-width: 40rem)").matches) byId("rule")?.removeAttribute("open");
  need("list").replaceChildren(el("ol", { class: "document-list" }, ...data.documents.map((doc) =>
    el("li", { "data-key": doc.key }))));
  drawDocument(state);
  drawProgress(state);
  need("desk").hidden = false;
  draw();
  offerElsewhere(state);
  warnOnClosing(() => keeping);
}

/** Another tab has changed a document: it is drawn here, too. @param {State} state @param {string} key
 * @param {any} kept */
function followOther(state, key, kept) {
  const doc = state.documents.get(key);
  if (!doc) return;
  closeNotice(true);
  state.works.set(key, fittingWork(doc, kept));
  drawProgress(state);
  if (doc !== state.open) return;
  const focused = document.activeElement?.id ?? "";
  drawDocument(state);
  byId(focused)?.focus({ preventScroll: true });
}

/** Decisions that this browser has kept for another page over the same texts: where nothing was decided
 * here, a copy is offered. @param {State} state */
function offerElsewhere(state) {
  const there = workElsewhere(state.keeping, [...state.documents.keys()]);
  const works = new Map([...there?.entries ?? []].flatMap(([key, { work }]) => {
    const doc = state.documents.get(key);
    const fits = doc && !state.works.has(key) ? fittingWork(doc, work) : emptyWork();
    return isSameWork(fits, emptyWork()) ? [] : [[key, fits]];
  }));
  if (!there || !works.size) return;
  tell(`Decisions on ${counted(works.size, "document")} belong to another page, “${visible(there.title)}”, ` +
    `saved ${savedWhen(there.saved)}, and stay there.`,
  [{ words: "Import a copy", act: () => askAndImport(state, works, there.title, 0, false) }]);
}

// ---- what a person does ----

/** @param {State} state @param {number|null} p @param {Choice|"open"} choice */
function decideAt(state, p, choice) {
  const place = placeAt(state, p);
  if (!place || p === null) return;
  if (!place.at.includes(state.at ?? 0)) state.at = p;
  else if (typeof choice === "number") state.at = choice;
  decide(state, place, choice);
  drawChanged(state, place.at);
}

/** @param {State} state */
function addHere(state) {
  const p = state.at;
  if (p === null || placeAt(state, p) || !state.open.text) return;
  toggleAdded(state, p);
  drawChanged(state, [p]);
}

/** Give the boundary of gold where one is a level. @param {State} state @param {number} level */
function levelHere(state, level) {
  const p = goldHere(state);
  if (p === null || !state.open.ranks) return;
  setLevel(state, p, level);
  drawChanged(state, [p]);
  byId(`at-${state.at}`)?.focus({ preventScroll: true }); // so that keys act, not the menu
}

/** A comment is kept at each letter; what is undone is the whole of it. @param {State} state
 * @param {string} text @param {boolean} done */
function comment(state, text, done) {
  const [p, doc] = [state.at, state.open];
  if (p === null) return;
  if (!done) {
    state.commenting ??= workOf(state, doc);
    putWork(state, doc.key, commented(state, p, text));
  } else if (state.commenting) {
    const part = { document: doc.key, before: state.commenting, after: workOf(state, doc) };
    recordChange(state.history, { parts: [part], at: p, words: "" });
    state.commenting = null;
    closeNotice(true);
    redraw(state, placeAt(state, p)?.at ?? [p]);
  }
}

/** To the next place that waits, or the one before; in the next document if none is left in this.
 * @param {State} state @param {number} step */
function walk(state, step) {
  const all = state.data.documents;
  const here = all.indexOf(state.open);
  /** @param {Doc} doc */
  const stops = (doc) => openPlaces(state, doc).map((place) => place.at[place.most]);
  const own = stops(state.open);
  const now = state.at ?? (step > 0 ? 0 : Infinity);
  const past = placeAt(state, now);
  const next = step > 0 ? own.find((p) => p > now && !past?.at.includes(p))
    : own.findLast((p) => p < now && !past?.at.includes(p));
  if (next !== undefined) { goTo(state, next, "center"); return; }
  for (let i = 1; i <= all.length; i += 1) {
    const doc = all[(here + step * i + all.length * 2) % all.length];
    const found = stops(doc);
    if (found.length) {
      const p = found[step > 0 ? 0 : found.length - 1];
      if (doc === state.open) goTo(state, p, "center");
      else openDocument(state, doc, p);
      return;
    }
  }
  state.at = null;
  drawPanel(state);
}

/** To the next gap between units, or to the next mark where there is no text. @param {State} state
 * @param {number} step */
function move(state, step) {
  const now = state.at ?? (step > 0 ? 0 : Infinity);
  const next = step > 0 ? gapsOf(state).find((p) => p > now) : gapsOf(state).findLast((p) => p < now);
  if (next !== undefined) goTo(state, next, "nearest");
}

/** @param {State} state @param {number} p @param {"center"|"nearest"} block */
function goTo(state, p, block) {
  byId("comment")?.blur();
  state.at = p;
  showHere(state);
  const spot = byId(`at-${p}`);
  spot?.focus({ preventScroll: true });
  spot?.scrollIntoView({ block });
  drawPanel(state);
}

/** @param {State} state @param {Doc} doc @param {number|null} p */
function openDocument(state, doc, p) {
  byId("comment")?.blur();
  state.open = doc;
  state.at = null;
  drawDocument(state);
  drawProgress(state);
  if (p !== null) goTo(state, p, "center");
  else byId("document")?.scrollIntoView({ block: "start" });
}

/** To the next document, or the one before. @param {State} state @param {number} by */
function openNeighbour(state, by) {
  const doc = state.data.documents[state.data.documents.indexOf(state.open) + by];
  if (doc) openDocument(state, doc, null);
}

/** Undo or redo. @param {State} state @param {boolean} back */
function step(state, back) {
  byId("comment")?.blur();
  const { open } = state;
  const before = workOf(state, open);
  const stepped = steppedChange(state.history, back, (key) => keptOf(state, key));
  if (!stepped) return;
  const { change, works } = stepped;
  for (const [key, work] of works) putWork(state, key, work);
  state.at = works.length > 1 ? null : change.at;
  if (works.some(([key]) => key === open.key)) {
    redraw(state, [...marked(state, open), ...before.added]);
  } else {
    state.open = state.documents.get(works[0][0]) ?? open;
    drawDocument(state);
  }
  closeNotice(true);
  drawProgress(state);
  if (state.at === null) drawPanel(state);
  else goTo(state, state.at, "nearest");
}

// ---- files ----

/** @param {State} state */
function exportGold(state) {
  state.keeping.hear();
  const exported = new Date().toISOString();
  offerFile(safeFileName(`${state.data.file}-gold`, ".jsonl"), jsonLines(goldRows(state, exported)), "application/jsonl");
  markExported(state.keeping);
  const waits = state.data.documents.filter((doc) => openPlaces(state, doc).length).length;
  tell(waits ? `Exported. ${counted(waits, "document")} ${waits === 1 ? "is" : "are"} not complete: segscore leaves ` +
    `${waits === 1 ? "it" : "them"} out when it reads the file, and says so.` : "Exported. Every document is complete.");
}

/** @param {State} state */
function exportDecisions(state) {
  offerFile(safeFileName(`${state.data.file}-decisions`, ".csv"), `\ufeff${csvOf(decisionRows(state))}`, "text/csv");
}

/** @param {State} state @param {File} file */
async function importGold(state, file) {
  byId("comment")?.blur();
  try {
    const text = await textOfFile(file);
    const { works, lost } = importedWorks(state.data, rowsOfLines(text, file.name), file.name);
    askAndImport(state, works, file.name, lost);
  } catch (error) {
    tell(error instanceof Error ? error.message : `${error}`);
  }
}

/** Import work; if it would replace what a person did here, ask first. @param {State} state
 * @param {Map<string, Work>} works @param {string} called the file
 * @param {number} missing decisions that could not be imported
 * @param {boolean} [safe] whether they are from a file */
function askAndImport(state, works, called, missing, safe = true) {
  const changed = [...works].filter(([key, work]) => !isSameWork(work, keptOf(state, key)));
  const lost = changed.filter(([key]) => !isSameWork(keptOf(state, key), emptyWork()));
  const others = changed.filter((one) => !lost.includes(one));
  /** @param {[string, Work][]} taken */
  const take = (taken) => {
    changeWorks(state, taken);
    if (safe) markExported(state.keeping, taken.map(([key]) => key));
    drawDocument(state);
    drawProgress(state);
    tell(`Imported the decisions on ${counted(taken.length, "document")} from “${visible(called)}”.` +
      (missing ? ` ${counted(missing, "decision")} left out: the codings here have no such place.` : ""));
  };
  if (!lost.length) take([...works]);
  else {
    askToReplace(lost.map(([key, work]) => ({ name: state.documents.get(key)?.name ?? key,
      here: workWords(keptOf(state, key)), file: workWords(work) })),
    others.length, { all: () => take([...works]), others: () => take(others) });
  }
}

/** Leave every place as the rule has it, after an export. @param {State} state */
function startOver(state) {
  askWhich("Start over?", ["What you decided is exported first; then it is removed from this page. You can undo this until you close the page."],
    [{ words: "Export and start over", act: () => {
      exportGold(state);
      changeWorks(state, [...state.documents.keys()].map((key) => [key, emptyWork()]));
      markExported(state.keeping); // there is nothing new
      drawDocument(state);
      drawProgress(state);
      tell("Exported, and started over.", [{ words: "Undo", act: () => step(state, true) }]);
    } }], "Cancel");
}

// ---- drawing ----

/** @param {State} state */
function listen(state) {
  const keys = adjudicationKeys(state);
  actOnKeys(keys);
  /** @type {Record<string, () => void>} */
  const acts = { export: () => exportGold(state), decisions: () => exportDecisions(state),
    import: () => askForFile((file) => importGold(state, file)), "start-over": () => startOver(state),
    help: () => showKeys(keys), undo: () => step(state, true), redo: () => step(state, false),
    previous: () => walk(state, -1), next: () => walk(state, 1) };
  for (const [id, act] of Object.entries(acts)) need(id).addEventListener("click", act);
}

/** @param {State} state @returns {KeyRow[]} */
function adjudicationKeys(state) {
  const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
  return [
    [["n"], "next open place: in this document, then in the next ones", () => walk(state, 1)],
    [["p"], "previous open place", () => walk(state, -1)],
    [["N"], "next document, whether places are open or not", () => openNeighbour(state, 1), ["Shift N"]],
    [["P"], "previous document", () => openNeighbour(state, -1), ["Shift P"]],
    [digits, "choose an alternative of the place", (event) => {
      const digit = Number(/[1-9]/.exec(event.key)?.[0] ?? event.code.slice(-1));
      const p = placeAt(state, state.at)?.at[digit - 1];
      if (p !== undefined) decideAt(state, p, p);
    }, ["1", "…", "9"]],
    [["y"], "accept: choose what most coders mark (nothing, if two have as many)", () => {
      const place = placeAt(state, state.at);
      if (!place) return;
      const votes = place.who.map((one) => one.length);
      if (votes.filter((n) => n === votes[place.most]).length > 1) tell("A tie: choose a unit by its number.");
      else decideAt(state, place.at[place.most], place.at[place.most]);
    }],
    [["x"], "drop the place: no boundary", () => decideAt(state, state.at, "drop")],
    [["0"], "leave the place open again", () => decideAt(state, state.at, "open")],
    ...(state.data.documents.some((doc) => doc.ranks) ? /** @type {KeyRow[]} */ ([[digits.slice(0, 6).map((one) => `Shift+${one}`),
      "level of the boundary in gold", (event) => levelHere(state, Number(event.code.slice(-1))),
      ["Shift 1", "…", "6"]]]) : []),
    [["c"], "comment on the place; Esc leaves the field", () => byId("comment")?.focus()],
    [["j", "ArrowDown"], "next gap between units", () => move(state, 1), ["j", "↓"]],
    [["k", "ArrowUp"], "previous gap", () => move(state, -1), ["k", "↑"]],
    [["a"], "add a boundary that nobody marks, or remove it", once(() => addHere(state))],
    [["Ctrl+z"], "undo", () => step(state, true), ["Ctrl Z"]],
    [["Ctrl+y", "Ctrl+Shift+z"], "redo", () => step(state, false), ["Ctrl Y"]],
  ];
}

/** @param {State} state */
function drawDocument(state) {
  need("heading").replaceChildren(named(state.open.name, 60));
  need("strip").replaceChildren(adjudicationStrip(state));
  need("text").replaceChildren(adjudicationText(state));
  showHere(state);
  drawPanel(state);
}

/** @param {State} state */
function drawPanel(state) {
  need("decide").replaceChildren(...panelOf(state));
  need("waiting").textContent = `${openPlaces(state, state.open).length} of ${state.open.places.length} open`;
}

/** Where one is: the place, and in the strip. @param {State} state */
function showHere(state) {
  const article = need("document");
  for (const look of ["here", "of-place"]) {
    for (const one of article.querySelectorAll(`.${look}`)) one.classList.remove(look);
  }
  for (const p of placeAt(state, state.at)?.at ?? []) byId(`at-${p}`)?.classList.add("of-place");
  byId(`at-${state.at}`)?.classList.add("here");
  showNow(article, state.at, state.open.units);
}

/** Something was decided at these positions. @param {State} state @param {number[]} positions */
function drawChanged(state, positions) {
  const focused = document.activeElement?.closest("[data-at]") !== null && state.at !== null;
  closeNotice(true);
  redraw(state, positions);
  drawProgress(state);
  drawPanel(state);
  if (focused) byId(`at-${state.at}`)?.focus({ preventScroll: true });
}

/** @param {State} state @param {number[]} positions */
function redraw(state, positions) {
  for (const p of positions) byId(`at-${p}`)?.replaceWith(between(state, p));
  byId("gold-row")?.replaceWith(goldRow(state));
  showHere(state);
}

/** @param {State} state */
function drawProgress(state) {
  const { all, open, words } = progressOf(state);
  const bar = /** @type {HTMLProgressElement} */ (byId("progress"));
  Object.assign(bar, { max: Math.max(all, 1), value: all ? all - open : 1 });
  need("progress-words").textContent = words;
  document.querySelectorAll("#list li").forEach((item, i) => {
    const [made, there] = [listEntry(state, state.data.documents[i]), item.firstElementChild];
    const same = there?.textContent === made.textContent && there?.ariaCurrent === made.ariaCurrent;
    if (!same) item.replaceChildren(made);
  });
}

loadData().then(start).catch((error) => {
  need("document").append(el("p", { class: "missing" }, `This page cannot be shown in this browser (${error}).`));
}).finally(() => document.documentElement.setAttribute("data-ready", ""));
