// The annotation page as it is drawn, and the changes that one makes.

// ---- The work of one coder on the page: which document is open, and where one is in it ----

/**
 * @typedef {{data: AnnotationData, coder: string, order: number[], works: Work[], keeping: Keeping,
 *   history: History, open: number, at: number, places: number[], hinted: Set<number>,
 *   entries: HTMLElement[], gaps: HTMLElement[], verdicts: Map<number, Verdict[]>}} Desk
 *   (works, entries: by the number of the document; open: the document that is shown; at: the position in
 *   it; places: where one was in each document; hinted: documents of which it was said that labels are
 *   missing; gaps: the button at each position; verdicts: what practice says of positions)
 */

/** The desk of a coder, with what the browser has kept of their work.
 * @param {AnnotationData} data @param {string} coder @param {Keeping} keeping @returns {Desk} */
function newDesk(data, coder, keeping) {
  const order = documentOrder(data, coder);
  const works = data.documents.map((doc) => workFrom(doc, keptWork(keeping, workId(doc),
    packedWork(firstWork(doc), doc), (work) => isWhole(doc, work))));
  /** @type {Desk} */
  const desk = { data, coder, order, works, keeping, history: { done: [], undone: [] }, open: order[0], at: 1,
    places: [], hinted: new Set(), gaps: [], verdicts: new Map(),
    entries: data.documents.map((_, i) => button("", () => openDocument(desk, i))) };
  need("shelf-list").replaceChildren(...order.map((i) => el("li", {}, desk.entries[i])));
  works.forEach((_, i) => drawEntry(desk, i));
  const last = recalled(data.page, `open ${coder}`);
  const open = data.documents.findIndex((doc) => workId(doc) === last);
  const unfinished = order.find((i) => !works[i].finished);
  openDocument(desk, open >= 0 ? open : unfinished ?? order[0], false);
  return desk;
}

/** The work that was kept, or none yet. @param {TextDocument} doc @param {any} kept */
const workFrom = (doc, kept) => unpackedWork(doc, kept) ?? firstWork(doc);

/** Save the work on a document. @param {Desk} desk @param {number} i */
function saveWork(desk, i) {
  const doc = desk.data.documents[i];
  keepWork(desk.keeping, workId(doc), packedWork(desk.works[i], doc));
}

/** What the storage calls a document: texts that changed are others. @param {TextDocument} doc */
const workId = (doc) => `${doc.hash} ${doc.name}`;

/** @param {Desk} desk */
const openWork = (desk) => desk.works[desk.open];

/** @param {Desk} desk */
const openText = (desk) => desk.data.documents[desk.open];

// ---- The text of a document: units, and between two of them a button that sets or removes a boundary ----
// A gap is as high with a boundary as without one, so that nothing jumps.

const SHORT_CHIP = 12; // characters that are never cut off

/** @param {Desk} desk */
function drawText(desk) {
  const doc = openText(desk);
  desk.gaps = [];
  const gap = (/** @type {number} */ p) => {
    desk.gaps[p] = el("button", { type: "button", class: "gap", "data-p": p, tabindex: "-1" });
    drawGap(desk, p);
    return desk.gaps[p];
  };
  const text = { ...doc, units: doc.units.length, text: doc.units };
  const made = textView(text, doc.units.slice(1).map((_, i) => i + 1), gap);
  made.classList.add("annotated");
  if (hasLabels(desk.data)) made.prepend(gap(0));
  need("text").replaceChildren(made);
}

/** Draw one gap as it is now. @param {Desk} desk @param {number} p */
function drawGap(desk, p) {
  const gap = desk.gaps[p];
  if (!gap) return;
  const place = placeAt(openWork(desk), p);
  const set = p > 0 && place.level > 0;
  const judged = mostTelling(desk.verdicts.get(p));
  gap.className = ["gap", gap.classList.contains("here") && "here", set && `set level-${place.level}`, p === 0 && "start",
    place.unsure && "unsure", judged && `judged ${judged.status}`].filter(Boolean).join(" ");
  if (p > 0) gap.setAttribute("aria-pressed", `${set}`);
  const words = gapWords(desk.data, place, p, judged);
  gap.setAttribute("aria-label", [p ? `Boundary after unit ${WITH_COMMAS.format(p)}` : "Start of the document",
    ...(place.comment ? ["with a comment"] : []), ...words.map((one) => one.words)].join(", ")); // it ends with what is seen
  gap.replaceChildren(...words.flatMap((one) => [el("span",
    { class: `chip ${one.look}`, dir: "auto", title: one.words.length > SHORT_CHIP ? one.words : null }, one.shown ?? one.words), " "]),
    ...(words.length ? [el("span", { class: "line" })] : []));
}

/** One verdict of several at a place: the worst, with the words of all. @param {Verdict[]|undefined} all
 * @returns {Verdict|undefined} */
function mostTelling(all) {
  return all && { status: worst(all), words: all.map((one) => one.words).join("; ") };
}

/** What is said at a place. @param {AnnotationData} data @param {Place} place @param {number} p
 * @param {Verdict|undefined} judged @returns {{look: string, words: string, shown?: string}[]} */
function gapWords(data, place, p, judged) {
  const found = [];
  if (judged) found.push({ look: `verdict ${judged.status}`, words: judged.words, shown: `${STATUS[judged.status][0]} ${judged.words}` });
  if (p > 0 && place.level && data.levels > 1) found.push({ look: "rank", words: `level ${place.level}` });
  if ((p === 0 || place.level > 0) && hasLabels(data)) {
    const none = `no ${labelWord(data)} yet`;
    if (place.label) found.push({ look: "label", words: visible(place.label) });
    else found.push({ look: "none", words: p ? none : `first segment: ${none}` });
  }
  if (place.unsure) found.push({ look: "doubt", words: "unsure", shown: "? unsure" });
  if (place.comment) {
    const text = visible(place.comment).replaceAll("\\u000a", " ");
    found.push({ look: "note", words: text, shown: `✎ ${text}` });
  }
  return found;
}

/** What segments are called by. @param {AnnotationData} data */
const labelWord = (data) => (data.titles ? "title" : "label");

// ---- The documents of the page: which there are, which are begun, which are done ----

/** Draw the entry of a document. @param {Desk} desk @param {number} i */
function drawEntry({ data, works, entries, open }, i) {
  const [doc, work, entry] = [data.documents[i], works[i], entries[i]];
  const begun = !isUntouched(doc, work);
  const [sign, state] = work.finished ? ["✓", "done"] : begun ? ["◐", "begun"] : ["○", "not begun"];
  const found = boundariesIn(work).length;
  entry.className = `entry ${state.replace(" ", "-")}`;
  entry.ariaCurrent = i === open ? "true" : null;
  entry.replaceChildren(
    el("span", { class: "entry-sign", "aria-hidden": "true" }, sign),
    el("span", { class: "entry-name" }, named(doc.name, 80)),
    el("span", { class: "entry-told" }, `${doc.gold ? "practice, " : ""}${state}, ${begun || found
      ? boundaries(found) : counted(doc.units.length, "unit")}`));
}

// ---- The whole document at a glance: a line per boundary, and where one is ----

const STRIP_HIGH = 26;

/** @param {Desk} desk */
function drawStrip(desk) {
  const [doc, work, found] = [openText(desk), openWork(desk), boundariesIn(openWork(desk))];
  const [units, gold] = [doc.units.length, work.finished ? doc.gold : undefined];
  const room = gold ? STRIP_HIGH / 2 - 1 : STRIP_HIGH; // above it is the reference, once there is feedback
  const top = (/** @type {number} */ p) =>
    STRIP_HIGH - Math.round(room * (1 - (placeAt(work, p).level - 1) / (desk.data.levels + 1)));
  const above = gold ? [svg("path", { class: "mark match", d: gold.map((p) => `M${p} 0V${room}`).join("") }),
    svg("path", { class: "middle", d: `M0 ${room + 1}H${units}` })] : [];
  const box = el("div", { class: "strip strip-line crowded" });
  box.append(lane(`The whole document: ${boundaries(found.length)} among ${units.toLocaleString("en")} units` +
    (gold ? `; above them the reference: ${boundaries(gold.length)}` : ""),
  units, STRIP_HIGH, [["reference", found]], top, above));
  leadsTo(box, units, doc.units.slice(1).map((_, i) => i + 1), (p) => goTo(desk, p, { center: true }));
  need("strip").replaceChildren(box);
  need("strip").hidden = units < 2;
  showNow(need("strip"), desk.at, units);
}

// ---- Practice: after a document is done, each boundary against the gold, in the signs of the report ----

/** What the gold says of the open document, above its text and, as `desk.verdicts`, in it.
 * @param {Desk} desk */
function drawPractice(desk) {
  const [doc, work] = [openText(desk), openWork(desk)];
  const before = desk.verdicts;
  const [gold, own] = [doc.gold ?? [], boundariesIn(work)].map((positions, i) =>
    rowOf({ coder: "", kind: "person", masses: massesOf(positions, doc.units.length) }, i));
  const judged = doc.gold && work.finished ? judge(gold, own, adjacentEdits(gold, own)) : null;
  desk.verdicts = judged?.at ?? new Map();
  for (const p of new Set([...before.keys(), ...desk.verdicts.keys()])) drawGap(desk, p);
  need("practice").replaceChildren(...(doc.gold ? [practiceWords(judged)] : []), ...remarksOn(doc));
}

/** @param {Judged|null} judged */
function practiceWords(judged) {
  if (!judged) {
    return el("p", { class: "practice" }, el("b", {}, "Practice. "),
      "Mark the boundaries and press “Done”: then you see where others put them. It does not count.");
  }
  const counts = JUDGED.filter((one) => one !== "differs").map((one) =>
    el("li", { class: one }, sign(one), ` ${judged.counts[one]} ${STATUS[one][1]}`));
  return el("div", { class: "practice" }, el("p", {}, el("b", {}, "Practice, done. "),
    "This is how your boundaries compare with the reference, in the text and in the strip above, whose upper half is " +
    "the reference. You may change them; your export keeps what you had before."), el("ul", { class: "legend" }, ...counts));
}

/** @param {TextDocument} doc */
function remarksOn({ units, prefill }) {
  const said = units.length < 2 ? ["This document has one unit: there is nothing to mark. Press “Done”."] : [];
  if (prefill) {
    const [was, it] = prefill.boundaries.length === 1 ? ["was", "it"] : ["were", "them"];
    said.push(`${boundaries(prefill.boundaries.length)} ${was} suggested by ${visible(prefill.by)}: correct ${it}.`);
  }
  return said.map((one) => el("p", { class: "practice" }, one));
}

// ---- drawing ----

/** Open a document, where one was in it. @param {Desk} desk @param {number} i
 * @param {boolean} [focus] */
function openDocument(desk, i, focus = true) {
  const before = desk.open;
  if (desk.gaps.length) desk.places[before] = desk.at; // or nothing was open yet
  desk.open = i;
  const doc = openText(desk);
  desk.at = Math.min(desk.places[i] ?? (hasLabels(desk.data) ? 0 : 1), doc.units.length - 1);
  drawEntry(desk, before);
  remember(desk.data.page, `open ${desk.coder}`, workId(doc));
  need("document-heading").replaceChildren(named(doc.name, 80),
    el("span", { class: "small" }, ` ${desk.order.indexOf(i) + 1} of ${desk.order.length}`));
  desk.verdicts = new Map();
  drawText(desk);
  drawPractice(desk);
  drawAround(desk);
  markHere(desk, desk.at);
  desk.entries[i].scrollIntoView({ block: "nearest" });
  if (!focus) return;
  window.scrollTo({ top: 0 });
  if (desk.places[i] === undefined) focusGap(desk);
  else goTo(desk, desk.at, { center: true });
  say(`${doc.name}, ${counted(doc.units.length, "unit")}`);
}

/** What stands around the text: strip, list, buttons. @param {Desk} desk */
function drawAround(desk) {
  const work = openWork(desk);
  drawStrip(desk);
  drawEntry(desk, desk.open);
  const done = desk.works.filter((one) => one.finished).length;
  Object.assign(need("all-bar"), { max: desk.works.length, value: done });
  need("shelf-words").textContent = `Documents: ${done} of ${desk.works.length} done`;
  need("done").ariaPressed = `${work.finished}`;
  need("done").firstChild?.replaceWith(work.finished ? "✓ Done" : "Done");
  const place = desk.order.indexOf(desk.open);
  need("previous").ariaDisabled = `${place === 0}`;
  need("next").ariaDisabled = `${place === desk.order.length - 1}`;
  drawAllDone(desk);
  drawTools(desk);
}

/** Whether there is nothing left to do but to export. @param {Desk} desk */
function drawAllDone(desk) {
  need("all-done").hidden = !unexported(desk.keeping).length || !desk.works.every((one) => one.finished);
}

/** The current gap can be reached by Tab; the others by arrows. @param {Desk} desk @param {number} p */
function markHere(desk, p) {
  for (const [i, here] of /** @type {[number, boolean][]} */ ([[desk.at, false], [p, true]])) {
    desk.gaps[i]?.classList.toggle("here", here);
    desk.gaps[i]?.setAttribute("tabindex", here ? "0" : "-1");
  }
}

/** @param {Desk} desk */
function focusGap(desk) {
  desk.gaps[desk.at]?.focus({ preventScroll: true });
}

// ---- moving ----

/** Go to a position. @param {Desk} desk @param {number} p
 * @param {{center?: boolean, stay?: boolean}} [how] stay: do not scroll */
function goTo(desk, p, { center = false, stay = false } = {}) {
  const least = hasLabels(desk.data) ? 0 : 1;
  const units = openText(desk).units.length;
  const to = Math.max(least, Math.min(p, units - 1));
  markHere(desk, to);
  desk.at = to;
  const gap = desk.gaps[to];
  if (gap !== document.activeElement) focusGap(desk); // costs a layout
  if (!stay) gap?.scrollIntoView({ block: center ? "center" : "nearest" });
  showNow(need("strip"), to, units);
  drawTools(desk);
}

/** The next boundary, or the one before. @param {Desk} desk @param {number} step */
function goToBoundary(desk, step) {
  const all = boundariesIn(openWork(desk));
  const next = step > 0 ? all.find((p) => p > desk.at) : all.findLast((p) => p < desk.at);
  if (next === undefined) say(`There is no boundary ${step > 0 ? "below" : "above"}.`);
  else goTo(desk, next);
}

/** The next document, or the one before. @param {Desk} desk @param {number} step */
function stepDocument(desk, step) {
  const next = desk.order[desk.order.indexOf(desk.open) + step];
  if (next === undefined) say(`This is the ${step > 0 ? "last" : "first"} document.`);
  else openDocument(desk, next);
}

// ---- changing ----

/** Put other work in place of that on some documents, keep it and draw it.
 * @param {Desk} desk @param {[number, Work][]} works @param {boolean} [save] */
function putWorks(desk, works, save = true) {
  for (const [i, work] of works) {
    const before = desk.works[i];
    desk.works[i] = { ...work };
    if (save) saveWork(desk, i);
    drawEntry(desk, i);
    if (i === desk.open) {
      for (const p of changedPlaces(before, work)) drawGap(desk, p);
      drawPractice(desk);
    }
  }
  drawAround(desk);
}

/** Change the work on some documents, in one step that can be undone.
 * @param {Desk} desk @param {[number, Work][]} works @param {string} words what it is
 * @param {number|null} [at] the position, if it is about one */
function changeWorks(desk, works, words, at = null) {
  const parts = works.map(([document, work]) => {
    const before = desk.works[document];
    return { document, before, after: { ...work, seconds: Math.max(work.seconds, before.seconds) } };
  });
  if (!parts.length) return;
  recordChange(desk.history, { parts, at, words });
  closeNotice(true);
  putWorks(desk, parts.map(({ document, after }) => [document, after]));
}

/** Put another place where one is, or elsewhere in the open document. @param {Desk} desk
 * @param {Place} after @param {string} words @param {number} [at] */
function changePlace(desk, after, words, at = desk.at) {
  const work = openWork(desk);
  if (samePlace(placeAt(work, at), after) || !desk.gaps[at]) return;
  changeWorks(desk, [[desk.open, withPlace(work, at, after)]], at ? `after unit ${at}` : "start of the document", at);
  say(words);
}

/** The level of the boundary that was removed where one is, if one was: it comes back with it.
 * @param {Desk} desk @returns {number} */
function levelBefore({ history, open, at }) {
  const last = history.done.flatMap(({ parts }) => parts).findLast(({ document, before }) =>
    document === open && placeAt(before, at).level);
  return last ? placeAt(last.before, at).level : 1;
}

/** Done, or not done after all. For practice the first time: what stands there is the coder's own, and
 * stays so whatever is undone. @param {Desk} desk */
function toggleDone(desk) {
  const work = openWork(desk);
  if (openText(desk).gold && !work.finished) work.alone ??= work.places;
  changeWorks(desk, [[desk.open, { ...work, finished: !work.finished }]], "done");
  const left = desk.works.filter((one) => !one.finished).length;
  say(work.finished ? "Not done any more."
    : `Done. ${left ? `${counted(left, "document")} left.` : "All documents are done: export your work."}`);
  if (!work.finished) hintAtLabels(desk);
}

/** Say once of a document that segments have no label; it stays done. @param {Desk} desk */
function hintAtLabels(desk) {
  const missing = hasLabels(desk.data) ? unlabelled(openWork(desk)) : [];
  if (!missing.length || desk.hinted.has(desk.open)) return;
  desk.hinted.add(desk.open);
  const open = desk.open;
  const one = missing.length === 1;
  tell(`Done. ${counted(missing.length, "segment")} of ${visible(openText(desk).name)} ` +
    `${one ? "has" : "have"} no ${labelWord(desk.data)} yet.`,
  [{ words: one ? "Go to it" : "Go to the first", act: () => {
    if (desk.open !== open) openDocument(desk, open);
    goTo(desk, missing[0], { center: true });
  } }]);
}

/** Undo or redo. @param {Desk} desk @param {boolean} back */
function step(desk, back) {
  const stepped = steppedChange(desk.history, back, (i) => desk.works[i]);
  if (!stepped) {
    say(`Nothing to ${back ? "undo" : "redo"}.`);
    return;
  }
  const { change: { at, words }, works } = stepped;
  closeNotice(true);
  putWorks(desk, works);
  const told = `${back ? "Undone" : "Done again"}: ${words}.`;
  if (at === null && words !== "done") { // of several documents
    tell(told);
    return;
  }
  if (works[0][0] !== desk.open) openDocument(desk, works[0][0]);
  if (at !== null) goTo(desk, at);
  say(told);
}
