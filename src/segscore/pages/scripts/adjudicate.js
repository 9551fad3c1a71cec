// The page of `segscore adjudicate`: one decision per place, and the gold that follows.

/** @param {AdjudicationData} data */
function start(data) {
  const parts = keepingParts();
  /** @type {State|null} */
  let ready = null; // what tabs say before all is there is drawn below
  const told = () => { if (ready) drawKeeping(parts, ready.keeping, (key) => documents.get(key)?.name ?? key); };
  const keeping = startKeeping(data.page, data.coder, told, (key, work) => { if (ready) followOther(ready, key, work); });
  remember(data.page, "title", data.title);
  const documents = new Map(data.documents.map((doc) => [doc.key, doc]));
  const works = new Map(data.documents.flatMap((doc) => {
    const kept = keptWork(keeping, doc.key, emptyWork());
    return kept ? [[doc.key, fittingWork(doc, kept)]] : [];
  }));
  /** @type {State} */
  const state = { data, documents, works, keeping, history: newHistory(), at: null, commenting: null,
    places: new Map(data.documents.map((doc) => [doc.key, placesByPosition(doc)])), open: data.documents[0] };
  state.open = data.documents.find((doc) => openPlaces(state, doc).length) ?? state.open;
  ready = state;
  draw(state, parts);
  told();
  offerElsewhere(state);
  warnOnClosing(() => keeping);
}

/** Another tab has changed a document: it is drawn here, too, and its changes can no longer be undone.
 * @param {State} state @param {string} key @param {any} kept */
function followOther(state, key, kept) {
  const doc = state.documents.get(key);
  if (!doc) return;
  forgetChanges(state, key);
  tell(""); // it may offer to undo them
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
  tell(`Decisions on ${counted(works.size, "document")} belong to another page, “${there.title}”, saved ${savedWhen(there.saved)}, ` +
    "and stay there.", { words: "Import a copy", act: () => askAndImport(state, works, there.title, 0, false) });
}

// ---- what a person does ----

/** @param {State} state */
function actsOf(state) {
  return {
    /** @param {number} p */
    choose: (p) => decideAt(state, p, p),
    drop: () => decideAt(state, state.at, "drop"),
    reopen: () => decideAt(state, state.at, "open"),
    add: () => addHere(state),
    /** @param {number} level */
    level: (level) => levelHere(state, level),
    /** @param {string} text @param {boolean} done */
    comment: (text, done) => comment(state, text, done),
    /** @param {number} step */
    walk: (step) => walk(state, step),
    /** @param {Doc} doc */
    open: (doc) => openDocument(state, doc, null),
    /** @param {number} p */
    goTo: (p) => goTo(state, p, "nearest"),
  };
}

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
    putWork(state, doc, commented(state, p, text));
  } else if (state.commenting) {
    const part = { document: doc.key, before: state.commenting, after: workOf(state, doc) };
    recordChange(state.history, { parts: [part], at: p });
    state.commenting = null;
    tell("");
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
  const doc = state.open;
  const stops = doc.text ? Array.from({ length: doc.units - 1 }, (_, i) => i + 1) : marked(state, doc);
  const now = state.at ?? (step > 0 ? 0 : Infinity);
  const next = step > 0 ? stops.find((p) => p > now) : stops.findLast((p) => p < now);
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

/** @param {State} state @param {boolean} back */
function step(state, back) {
  byId("comment")?.blur();
  const before = state.open;
  const positions = stepBackOrOn(state, back);
  if (!positions) return;
  tell("");
  if (state.open !== before) drawDocument(state);
  else redraw(state, positions);
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
  const replaced = [...works].flatMap(([key, file]) => {
    const doc = state.documents.get(key);
    const here = doc && workOf(state, doc);
    const lost = doc && here && !isSameWork(here, emptyWork()) && !isSameWork(here, file);
    return lost ? [{ key, name: doc.name, here: workWords(here), file: workWords(file) }] : [];
  });
  const keys = new Set(replaced.map((one) => one.key));
  const others = new Map([...works].filter(([key, work]) =>
    !keys.has(key) && !isSameWork(work, state.works.get(key) ?? emptyWork())));
  if (!replaced.length) takeImport(state, works, called, missing, safe);
  else {
    askToReplace(replaced, others.size, { all: () => takeImport(state, works, called, missing, safe),
      others: () => takeImport(state, others, called, missing, safe) });
  }
}

/** @param {State} state @param {Map<string, Work>} works @param {string} called
 * @param {number} missing @param {boolean} safe */
function takeImport(state, works, called, missing, safe) {
  changeWorks(state, works);
  if (safe) markExported(state.keeping, works.keys());
  drawDocument(state);
  drawProgress(state);
  tell(`Imported the decisions on ${counted(works.size, "document")} from “${called}”.` +
    (missing ? ` ${counted(missing, "decision")} left out: the codings here have no such place.` : ""));
}

/** Leave every place as the rule has it, after an export. @param {State} state */
function startOver(state) {
  askWhether("Start over?", "What you decided is exported first; then it is removed from this page. You can undo this until you close the page.",
    "Export and start over", () => {
      exportGold(state);
      changeWorks(state, new Map([...state.documents.keys()].map((key) => [key, emptyWork()])));
      markExported(state.keeping); // there is nothing new
      drawDocument(state);
      drawProgress(state);
      tell("Exported, and started over.", { words: "Undo", act: () => step(state, true) });
    });
}

/** Say something beside the list of documents, until it is closed or something is changed.
 * @param {string} words @param {{words: string, act: () => void}} [way] what to do about it */
function tell(words, way) {
  const box = byId("told");
  if (!box) return;
  const shut = el("button", { type: "button", class: "shut", "aria-label": "Close this notice" }, "×");
  shut.addEventListener("click", () => tell(""));
  const ways = way ? [plainButton(way.words, () => { tell(""); way.act(); })] : [];
  box.replaceChildren(...(words ? [el("span", {}, words), ...ways, shut] : []));
}

// ---- drawing ----

/** @param {State} state @param {{line: HTMLElement, notices: HTMLElement}} parts */
function draw(state, parts) {
  const acts = actsOf(state);
  const table = adjudicationKeys(state);
  /** @param {string} id @param {string} label @param {() => void} act @param {string} [look] */
  const button = (id, label, act, look = "") => {
    const made = el("button", { type: "button", id, class: look }, label);
    made.addEventListener("click", act);
    return made;
  };
  byId("tools")?.replaceChildren(
    button("export", "Export gold", () => exportGold(state), "primary"),
    button("decisions", "Decisions (CSV)", () => exportDecisions(state)),
    button("import", "Import", () => askForFile(".jsonl", (file) => { importGold(state, file); })),
    button("start-over", "Start over", () => startOver(state)),
    button("help", "Keys", () => showKeys(table)),
    button("undo", "Undo", () => step(state, true)), button("redo", "Redo", () => step(state, false)));
  byId("help")?.append(el("kbd", { "aria-hidden": "true" }, "?"));
  if (window.matchMedia("(max-width: 40rem)").matches) byId("rule")?.removeAttribute("open");
  byId("panel")?.prepend(parts.notices, parts.line); // always in sight
  byId("list")?.replaceChildren(documentList(state, acts));
  actOnKeys(table);
  drawDocument(state);
  drawProgress(state);
  const desk = byId("desk");
  if (desk) desk.hidden = false;
}

/** @param {State} state @returns {KeyRow[]} */
function adjudicationKeys(state) {
  const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
  return [
    keyRow(["n"], "next open place: in this document, then in the next ones", () => walk(state, 1)),
    keyRow(["p"], "previous open place", () => walk(state, -1)),
    keyRow(["N"], "next document, whether places are open or not", () => openNeighbour(state, 1), ["Shift N"]),
    keyRow(["P"], "previous document", () => openNeighbour(state, -1), ["Shift P"]),
    keyRow(digits, "choose an alternative of the place", (event) => {
      const digit = Number(/[1-9]/.exec(event.key)?.[0] ?? event.code.slice(-1));
      const p = placeAt(state, state.at)?.at[digit - 1];
      if (p !== undefined) decideAt(state, p, p);
    }, ["1", "…", "9"]),
    keyRow(["y"], "accept: choose what most coders mark (nothing, if two have as many)", () => {
      const place = placeAt(state, state.at);
      if (!place) return;
      const votes = place.who.map((one) => one.length);
      if (votes.filter((n) => n === votes[place.most]).length > 1) tell("A tie: choose a unit by its number.");
      else decideAt(state, place.at[place.most], place.at[place.most]);
    }),
    keyRow(["x"], "drop the place: no boundary", () => decideAt(state, state.at, "drop")),
    keyRow(["0"], "leave the place open again", () => decideAt(state, state.at, "open")),
    ...(state.data.documents.some((doc) => doc.ranks) ? [keyRow(digits.slice(0, 6).map((one) => `Shift+${one}`),
      "level of the boundary in gold", (event) => levelHere(state, Number(event.code.slice(-1))),
      ["Shift 1", "…", "6"])] : []),
    keyRow(["c"], "comment on the place; Esc leaves the field", () => byId("comment")?.focus()),
    keyRow(["j", "ArrowDown"], "next gap between units", () => move(state, 1), ["j", "↓"]),
    keyRow(["k", "ArrowUp"], "previous gap", () => move(state, -1), ["k", "↑"]),
    keyRow(["a"], "add a boundary that nobody marks, or remove it", once(() => addHere(state))),
    keyRow(["Ctrl+z"], "undo", () => step(state, true), ["Ctrl Z"]),
    keyRow(["Ctrl+y", "Ctrl+Shift+z"], "redo", () => step(state, false), ["Ctrl Y"]),
  ];
}

/** @param {State} state */
function drawDocument(state) {
  const acts = actsOf(state);
  const doc = state.open;
  const previous = el("button", { type: "button", title: "previous open place (p)" }, "‹", el("span", {}, " previous"));
  const next = el("button", { type: "button", title: "next open place (n)" }, el("span", {}, "next "), "›");
  previous.addEventListener("click", () => walk(state, -1));
  next.addEventListener("click", () => walk(state, 1));
  const head = el("div", { class: "head" },
    el("div", { class: "document-bar" }, el("h2", {}, named(doc.name, 60)),
      el("div", { class: "walk" }, previous, el("span", { id: "waiting" }), next)),
    adjudicationStrip(state, (p) => goTo(state, p, "center")));
  byId("document")?.replaceChildren(head, adjudicationText(state, acts));
  showHere(state);
  drawPanel(state);
}

/** @param {State} state */
function drawPanel(state) {
  byId("decide")?.replaceChildren(...panelOf(state, actsOf(state)));
  const waits = openPlaces(state, state.open).length;
  const box = byId("waiting");
  if (box) box.textContent = `${waits} of ${state.open.places.length} open`;
}

/** Where one is: the place, and in the strip. @param {State} state */
function showHere(state) {
  const article = byId("document");
  for (const one of article?.querySelectorAll(".here") ?? []) one.classList.remove("here");
  for (const one of article?.querySelectorAll(".of-place") ?? []) one.classList.remove("of-place");
  for (const p of placeAt(state, state.at)?.at ?? []) byId(`at-${p}`)?.classList.add("of-place");
  byId(`at-${state.at}`)?.classList.add("here");
  if (article) showNow(article, state.at, state.open.units);
}

/** Something was decided at these positions. @param {State} state @param {number[]} positions */
function drawChanged(state, positions) {
  const focused = document.activeElement?.closest("[data-at]") !== null && state.at !== null;
  tell("");
  redraw(state, positions);
  drawProgress(state);
  drawPanel(state);
  if (focused) byId(`at-${state.at}`)?.focus({ preventScroll: true });
}

/** @param {State} state @param {number[]} positions */
function redraw(state, positions) {
  for (const p of positions) byId(`at-${p}`)?.replaceWith(between(state, p, actsOf(state)));
  byId("gold-row")?.replaceWith(goldRow(state));
  showHere(state);
}

/** @param {State} state */
function drawProgress(state) {
  const { all, open, words } = progressWords(state);
  const bar = /** @type {HTMLProgressElement|null} */ (byId("progress"));
  if (bar) { bar.max = Math.max(all, 1); bar.value = all ? all - open : 1; }
  const box = byId("progress-words");
  if (box) box.textContent = words;
  const items = byId("list")?.firstElementChild?.children ?? [];
  state.data.documents.forEach((doc, i) => {
    const [made, there] = [listButton(state, doc, actsOf(state)), items[i]?.firstElementChild];
    const same = there?.textContent === made.textContent &&
      there?.getAttribute("aria-current") === made.getAttribute("aria-current");
    if (!same) items[i]?.replaceChildren(made);
  });
}

loadData().then(start).catch((error) => {
  byId("document")?.append(el("p", { class: "missing" }, `This page cannot be shown in this browser (${error}).`));
}).finally(() => document.documentElement.setAttribute("data-ready", ""));
