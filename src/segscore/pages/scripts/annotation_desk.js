// The annotation page as it is drawn, and the changes that one makes.

// ---- What the page tells in sight: one message above the bar, with buttons, until it is closed. It ----
// covers the end of the text and moves nothing.

/** @typedef {{words: string, act: () => void}} NoticeButton */

/** Show a message in place of the one before; screen readers are told, too.
 * @param {string} words @param {NoticeButton[]} [buttons] without any to choose, it goes at the next change */
function showNotice(words, buttons = []) {
  const box = byId("notice");
  if (!box) return;
  const made = buttons.map((one) => {
    const button = el("button", { type: "button" }, one.words);
    button.addEventListener("click", () => {
      closeNotice();
      one.act();
    });
    return button;
  });
  const shut = el("button", { type: "button", class: "shut", "aria-label": "Close this message" }, "✕");
  shut.addEventListener("click", () => closeNotice());
  box.replaceChildren(el("p", { dir: "auto" }, words), ...made, shut);
  box.classList.toggle("passing", buttons.every((one) => one.words === "Undo")); // of the last change, and of no other
  box.hidden = false;
}

/** Close the message. @param {boolean} [passing] only if it has nothing to choose */
function closeNotice(passing = false) {
  const box = byId("notice");
  if (!box || (passing && !box.classList.contains("passing"))) return;
  const focused = box.contains(document.activeElement);
  box.hidden = true;
  box.replaceChildren();
  if (focused) /** @type {HTMLElement|null} */ (document.querySelector("#text .gap.here"))?.focus({ preventScroll: true });
}

// ---- The text of a document: units, and between two of them a button that sets or removes a boundary ----
// A gap is as high with a boundary as without one, so that nothing jumps. Units stand in blocks,
// which the browser lays out when they come into sight (content-visibility).

/** @typedef {{gaps: HTMLElement[], verdicts: Map<number, Verdict[]>}} TextView
 *   (gaps: the button at each position; verdicts: what practice says of positions) */

const UNITS_IN_BLOCK = 40;
const SHORT_CHIP = 12; // characters that are never cut off
const WITH_COMMAS = new Intl.NumberFormat("en"); // toLocaleString makes one for each number

/** Draw a document. @param {HTMLElement} box @param {AnnotationData} data @param {TextDocument} doc
 * @param {Work} work @param {Map<number, Verdict[]>} verdicts @returns {TextView} */
function drawText(box, data, doc, work, verdicts) {
  /** @type {TextView} */
  const view = { gaps: [], verdicts };
  const blocks = [];
  for (let from = 0; from < doc.units.length; from += UNITS_IN_BLOCK) {
    const block = el("div", { class: "block" });
    const rows = [];
    for (let i = from; i < Math.min(from + UNITS_IN_BLOCK, doc.units.length); i += 1) {
      if (i > 0 || hasLabels(data)) {
        view.gaps[i] = el("button", { type: "button", class: "gap", "data-p": i, tabindex: "-1" });
        drawGap(view, data, work, i);
        rows.push(view.gaps[i]);
      }
      rows.push(unitRow(doc, i));
    }
    block.append(...rows);
    blocks.push(block);
  }
  box.setAttribute("dir", isRightToLeft(doc.units) ? "rtl" : "ltr");
  box.replaceChildren(...blocks);
  return view;
}

/** @param {TextDocument} doc @param {number} i */
function unitRow(doc, i) {
  return el("div", { class: "unit" },
    el("span", { class: "unit-number", "aria-hidden": "true" }, WITH_COMMAS.format(i + 1)),
    el("div", { class: "said" }, ...speechLine(doc.speakers?.[i], doc.starts?.[i]), ...unitWords(doc.units[i])));
}

/** Draw one gap as it is now. @param {TextView} view @param {AnnotationData} data @param {Work} work
 * @param {number} p */
function drawGap(view, data, work, p) {
  const gap = view.gaps[p];
  if (!gap) return;
  const place = placeAt(work, p);
  const set = p > 0 && place.level > 0;
  const judged = mostTelling(view.verdicts.get(p));
  const here = gap.classList.contains("here");
  gap.className = `gap${here ? " here" : ""}${set ? " set" : ""}${p === 0 ? " start" : ""}` +
    `${place.unsure ? " unsure" : ""}${set ? ` level-${place.level}` : ""}${judged ? ` judged ${judged.status}` : ""}`;
  if (p > 0) gap.setAttribute("aria-pressed", `${set}`);
  const words = gapWords(data, place, p, judged);
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
  const starts = p === 0 || place.level > 0;
  if (judged) found.push({ look: `verdict ${judged.status}`, words: judged.words, shown: `${STATUS[judged.status][0]} ${judged.words}` });
  if (p > 0 && place.level && data.levels > 1) found.push({ look: "rank", words: `level ${place.level}` });
  if (starts && hasLabels(data)) {
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

/** @typedef {{list: HTMLElement, entries: HTMLElement[], told: HTMLElement, bar: HTMLProgressElement}} Shelf
 *   (entries: the button of each document, by its number) */

/** @param {HTMLElement} box @param {AnnotationData} data @param {number[]} order
 * @param {(number: number) => void} open @returns {Shelf} */
function newShelf(box, data, order, open) {
  /** @type {HTMLElement[]} */
  const entries = [];
  const items = order.map((i) => {
    entries[i] = el("button", { type: "button", class: "entry" });
    entries[i].addEventListener("click", () => open(i));
    return el("li", {}, entries[i]);
  });
  const list = el("ol", { class: "shelf-list" }, ...items);
  const told = el("span", {});
  const bar = /** @type {HTMLProgressElement} */ (el("progress", { max: data.documents.length, value: 0,
    "aria-label": "Documents done" }));
  box.replaceChildren(el("summary", {}, told), bar, list);
  return { list, entries, told, bar };
}

/** Draw the entry of a document. @param {Shelf} shelf @param {AnnotationData} data
 * @param {number} i @param {Work} work @param {boolean} begun @param {boolean} isOpen */
function drawEntry(shelf, data, i, work, begun, isOpen) {
  const doc = data.documents[i];
  const [sign, state] = work.finished ? ["✓", "done"] : begun ? ["◐", "begun"] : ["○", "not begun"];
  const found = boundariesIn(work).length;
  shelf.entries[i].className = `entry ${state.replace(" ", "-")}`;
  if (isOpen) shelf.entries[i].setAttribute("aria-current", "true");
  else shelf.entries[i].removeAttribute("aria-current");
  shelf.entries[i].replaceChildren(
    el("span", { class: "entry-sign", "aria-hidden": "true" }, sign),
    el("span", { class: "entry-name" }, named(doc.name, 80)),
    el("span", { class: "entry-told" }, `${doc.gold ? "practice, " : ""}${state}, ${begun || found
      ? boundaries(found) : counted(doc.units.length, "unit")}`));
}

/** How much is done. @param {Shelf} shelf @param {Work[]} works */
function drawProgress(shelf, works) {
  const done = works.filter((one) => one.finished).length;
  shelf.bar.value = done;
  shelf.told.textContent = `Documents: ${done} of ${works.length} done`;
}

// ---- The whole document at a glance: a line per boundary, and where one is ----

const STRIP_HIGH = 26;

/** An empty strip; a click leads to a place. @param {(p: number) => void} goTo */
function newStrip(goTo) {
  const picture = svg("svg", { class: "lane", height: STRIP_HIGH, role: "img", preserveAspectRatio: "none" });
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const units = Number(picture.getAttribute("data-units"));
    const share = (/** @type {MouseEvent} */ (event).clientX - box.left) / box.width;
    goTo(Math.min(units - 1, Math.max(1, Math.round(share * units))));
  });
  return { box: el("div", { class: "strip-line" }, picture), picture };
}

/** Draw boundaries and the place where one is. @param {{picture: SVGElement}} strip
 * @param {Work} work @param {number} units @param {number} at @param {number} levels
 * @param {number[]|null} reference what is shown above, once there is feedback */
function drawStrip(strip, work, units, at, levels, reference) {
  const found = boundariesIn(work);
  const most = reference ? STRIP_HIGH / 2 - 1 : STRIP_HIGH;
  const high = (/** @type {number} */ p) => Math.round(most * (1 - (placeAt(work, p).level - 1) / (levels + 1)));
  const d = found.map((p) => `M${p} ${STRIP_HIGH}V${STRIP_HIGH - high(p)}`).join("");
  strip.picture.setAttribute("viewBox", `0 0 ${units} ${STRIP_HIGH}`);
  strip.picture.setAttribute("data-units", `${units}`);
  strip.picture.setAttribute("aria-label", `The whole document: ${boundaries(found.length)} among ` +
    `${units.toLocaleString("en")} units` +
    (reference ? `; above them the reference: ${boundaries(reference.length)}` : ""));
  const above = reference?.map((p) => `M${p} 0V${STRIP_HIGH / 2 - 1}`).join("");
  strip.picture.replaceChildren(svg("path", { class: "mark reference", d }),
    ...(above === undefined ? [] : [svg("path", { class: "mark match", d: above }),
      svg("path", { class: "middle", d: `M0 ${STRIP_HIGH / 2}H${units}` })]));
  moveNow(strip, at);
}

/** @param {{picture: SVGElement}} strip @param {number} at */
function moveNow(strip, at) {
  strip.picture.querySelector(".now")?.remove();
  strip.picture.append(svg("path", { class: "now", d: `M${Math.max(at, 0)} 0V${STRIP_HIGH}` }));
}

// ---- Practice: after a document is done, each boundary against the gold, in the signs of the report ----

/** What the gold says of the work on a document, or null. @param {TextDocument} doc
 * @param {Work} work @returns {Judged|null} */
function practiceFeedback(doc, work) {
  if (!doc.gold || !work.finished) return null;
  const units = doc.units.length;
  const gold = rowOf({ coder: "gold", kind: "consensus", masses: massesOf(doc.gold, units) }, -1);
  const own = rowOf({ coder: "you", kind: "person", masses: massesOf(boundariesIn(work), units) }, 0);
  const judged = judge({}, gold, own);
  for (const [p, verdicts] of judged.at) {
    for (const one of verdicts) if (one.other !== undefined) one.words = nearWords(p, one.other, gold.has.has(p));
  }
  return judged;
}

/** @param {number} p @param {number} other where the other side has it @param {boolean} reference
 * whether the reference is here */
function nearWords(p, other, reference) {
  const where = `${Math.abs(other - p).toLocaleString("en")} ${other > p ? "later ↓" : "earlier ↑"}`;
  return reference ? `the reference is here; yours is ${where}` : `near: the reference is ${where}`;
}

/** What is said above the text of a document for practice. @param {TextDocument} doc
 * @param {Judged|null} judged @returns {Node[]} */
function practiceWords(doc, judged) {
  if (!doc.gold) return [];
  if (!judged) {
    return [el("p", { class: "practice" }, el("b", {}, "Practice. "),
      "Mark the boundaries and press “Done”: then you see where others put them. It does not count.")];
  }
  const counts = JUDGED.filter((one) => one !== "differs").map((one) =>
    el("li", { class: one }, el("span", { class: "sign", "aria-hidden": "true" }, STATUS[one][0]),
      ` ${judged.counts[one]} ${STATUS[one][1]}`));
  return [el("div", { class: "practice" }, el("p", {}, el("b", {}, "Practice, done. "),
    "This is how your boundaries compare with the reference, in the text and in the strip above, whose upper half is " +
    "the reference. You may change them; your export keeps what you had before."), el("ul", { class: "legend" }, ...counts))];
}

// ---- The work of one coder on the page: which document is open, where one is in it, and what happens ----
// when something is changed. Everything that changes is in one object, the desk.

/**
 * @typedef {{data: AnnotationData, coder: string, order: number[], works: Work[], keeping: Keeping,
 *   history: History<WorkChange>, open: number, at: number, places: number[], hinted: Set<number>, view: TextView,
 *   strip: {box: HTMLElement, picture: SVGElement}, shelf: Shelf, moved: () => void}} Desk
 *   (works: by the number of the document; open: the document that is shown; at: the position in it;
 *   places: where one was in each document; hinted: documents of which it was said that labels are
 *   missing; moved: called when the place, or what is there, changed)
 */

/** The desk of a coder, with what the browser has kept of their work.
 * @param {AnnotationData} data @param {string} coder @param {Keeping} keeping
 * @param {() => void} moved @returns {Desk} */
function newDesk(data, coder, keeping, moved) {
  const order = documentOrder(data, coder);
  const works = data.documents.map((doc) => workFrom(doc, keptWork(keeping, workId(doc),
    packedWork(firstWork(doc), doc), (work) => isWhole(doc, work))));
  /** @type {Desk} */
  const desk = { data, coder, order, works, keeping, history: newHistory(), open: order[0], at: 1,
    places: [], hinted: new Set(), view: { gaps: [], verdicts: new Map() },
    strip: newStrip((p) => goTo(desk, p, { center: true })),
    shelf: newShelf(need("shelf"), data, order, (i) => openDocument(desk, i)), moved };
  need("strip").replaceChildren(desk.strip.box);
  works.forEach((_, i) => drawShelfEntry(desk, i));
  drawProgress(desk.shelf, works);
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

/** @param {string} id */
function need(id) {
  const found = byId(id);
  if (!found) throw new Error(`no element #${id}`);
  return found;
}

/** Tell screen readers what happened. @param {string} words */
function say(words) {
  const box = need("said");
  box.textContent = box.textContent === words ? `${words}\u00a0` : words; // the same twice is told twice
}

/** Tell everyone what happened: in sight, too. @param {string} words @param {NoticeButton[]} [buttons] */
function tell(words, buttons = []) {
  showNotice(words, buttons);
  say(words);
}

/** @param {Desk} desk */
const openWork = (desk) => desk.works[desk.open];

/** @param {Desk} desk */
const openText = (desk) => desk.data.documents[desk.open];

// ---- drawing ----

/** @param {Desk} desk @param {number} i */
function drawShelfEntry(desk, i) {
  const begun = !isUntouched(desk.data.documents[i], desk.works[i]);
  drawEntry(desk.shelf, desk.data, i, desk.works[i], begun, i === desk.open);
}

/** Open a document, where one was in it. @param {Desk} desk @param {number} i
 * @param {boolean} [focus] */
function openDocument(desk, i, focus = true) {
  const before = desk.open;
  if (desk.view.gaps.length) desk.places[before] = desk.at; // or nothing was open yet
  desk.open = i;
  const doc = openText(desk);
  desk.at = Math.min(desk.places[i] ?? (hasLabels(desk.data) ? 0 : 1), doc.units.length - 1);
  drawShelfEntry(desk, before);
  remember(desk.data.page, `open ${desk.coder}`, workId(doc));
  drawDocument(desk);
  desk.shelf.entries[i].scrollIntoView({ block: "nearest" });
  if (!focus) return;
  window.scrollTo({ top: 0 });
  if (desk.places[i] === undefined) focusGap(desk);
  else goTo(desk, desk.at, { center: true });
  say(`${doc.name}, ${counted(doc.units.length, "unit")}`);
}

/** Draw the open document from new. @param {Desk} desk */
function drawDocument(desk) {
  const [doc, work] = [openText(desk), openWork(desk)];
  const number_ = desk.order.indexOf(desk.open) + 1;
  need("document-heading").replaceChildren(named(doc.name, 80),
    el("span", { class: "small" }, ` ${number_} of ${desk.order.length}`));
  const judged = practiceFeedback(doc, work);
  desk.view = drawText(need("text"), desk.data, doc, work, judged?.at ?? new Map());
  need("practice").replaceChildren(...practiceWords(doc, judged), ...remarksOn(doc));
  drawAround(desk);
  markHere(desk, desk.at, desk.at);
}

/** Feedback as it is after a change. @param {Desk} desk */
function drawFeedback(desk) {
  const [doc, work] = [openText(desk), openWork(desk)];
  const judged = practiceFeedback(doc, work);
  const before = desk.view.verdicts;
  desk.view.verdicts = judged?.at ?? new Map();
  for (const p of new Set([...before.keys(), ...desk.view.verdicts.keys()])) {
    drawGap(desk.view, desk.data, work, p);
  }
  need("practice").replaceChildren(...practiceWords(doc, judged), ...remarksOn(doc));
}

/** @param {TextDocument} doc */
function remarksOn(doc) {
  const said = [];
  if (doc.units.length < 2) said.push("This document has one unit: there is nothing to mark. Press “Done”.");
  if (doc.prefill) {
    const n = doc.prefill.boundaries.length;
    said.push(`${boundaries(n)} ${n === 1 ? "was" : "were"} suggested by ${visible(doc.prefill.by)}: ` +
      `correct ${n === 1 ? "it" : "them"}.`);
  }
  return said.map((one) => el("p", { class: "practice" }, one));
}

/** What stands around the text: strip, list, buttons. @param {Desk} desk */
function drawAround(desk) {
  const [doc, work] = [openText(desk), openWork(desk)];
  drawStrip(desk.strip, work, doc.units.length, desk.at, desk.data.levels,
    doc.gold && work.finished ? doc.gold : null);
  need("strip").hidden = doc.units.length < 2;
  drawShelfEntry(desk, desk.open);
  drawProgress(desk.shelf, desk.works);
  const done = need("done");
  done.setAttribute("aria-pressed", `${work.finished}`);
  done.replaceChildren(work.finished ? "✓ Done" : "Done", el("kbd", { "aria-hidden": "true" }, "d"));
  const place = desk.order.indexOf(desk.open);
  need("previous").setAttribute("aria-disabled", `${place === 0}`);
  need("next").setAttribute("aria-disabled", `${place === desk.order.length - 1}`);
  drawAllDone(desk);
  desk.moved();
}

/** Whether there is nothing left to do but to export. @param {Desk} desk */
function drawAllDone(desk) {
  need("all-done").hidden = !unexported(desk.keeping).length || !desk.works.every((one) => one.finished);
}

/** Another tab has saved work on a document: it is drawn here, too. An import that replaced it can no
 * longer be undone. @param {Desk} desk @param {number} i @param {any} kept */
function followOther(desk, i, kept) {
  desk.works[i] = workFrom(desk.data.documents[i], kept);
  closeNotice(true);
  keepChanges(desk.history, (change) => change.at !== "all" || change.all.every((one) => one.document !== i));
  drawShelfEntry(desk, i);
  const focused = need("text").contains(document.activeElement);
  drawDocument(desk);
  if (focused) focusGap(desk);
}

/** The current gap can be reached by Tab; the others by arrows. @param {Desk} desk
 * @param {number} before @param {number} now */
function markHere(desk, before, now) {
  desk.view.gaps[before]?.classList.remove("here");
  desk.view.gaps[before]?.setAttribute("tabindex", "-1");
  desk.view.gaps[now]?.classList.add("here");
  desk.view.gaps[now]?.setAttribute("tabindex", "0");
}

/** @param {Desk} desk */
function focusGap(desk) {
  desk.view.gaps[desk.at]?.focus({ preventScroll: true });
}

// ---- moving ----

/** Go to a position. @param {Desk} desk @param {number} p
 * @param {{center?: boolean, stay?: boolean}} [how] stay: do not scroll */
function goTo(desk, p, { center = false, stay = false } = {}) {
  const least = hasLabels(desk.data) ? 0 : 1;
  const to = Math.max(least, Math.min(p, openText(desk).units.length - 1));
  markHere(desk, desk.at, to);
  desk.at = to;
  const gap = desk.view.gaps[to];
  if (gap !== document.activeElement) gap?.focus({ preventScroll: true }); // costs a layout
  if (!stay) gap?.scrollIntoView({ block: center ? "center" : "nearest" });
  moveNow(desk.strip, to);
  desk.moved();
}

/** The next boundary, or the one before. @param {Desk} desk @param {number} step */
function goToBoundary(desk, step) {
  const work = openWork(desk);
  const last = openText(desk).units.length - 1;
  for (let p = desk.at + step; p >= 1 && p <= last; p += step) {
    if (placeAt(work, p).level) {
      goTo(desk, p);
      return;
    }
  }
  say(step > 0 ? "There is no boundary below." : "There is no boundary above.");
}

/** The next document, or the one before. @param {Desk} desk @param {number} step */
function stepDocument(desk, step) {
  const next = desk.order[desk.order.indexOf(desk.open) + step];
  if (next === undefined) say(step > 0 ? "This is the last document." : "This is the first document.");
  else openDocument(desk, next);
}

// ---- changing ----

/** @param {Desk} desk @param {WorkChange} change */
function afterChange(desk, change) {
  closeNotice(true);
  if (change.at === "all") {
    change.all.forEach(({ document }) => saveWork(desk, document));
    drawReplaced(desk, change.all);
    return;
  }
  const doc = desk.data.documents[change.document];
  saveWork(desk, change.document);
  if (change.document !== desk.open) {
    drawShelfEntry(desk, change.document);
    openDocument(desk, change.document); // undo of what was done elsewhere shows it
  }
  if (doc.gold) drawFeedback(desk);
  if (change.at !== null) drawGap(desk.view, desk.data, openWork(desk), change.at);
  drawAround(desk);
}

/** @param {Desk} desk @param {Replacement[]} all */
function drawReplaced(desk, all) {
  all.forEach(({ document }) => drawShelfEntry(desk, document));
  drawDocument(desk);
  focusGap(desk);
}

/** Put another place where one is, or elsewhere in the open document. @param {Desk} desk
 * @param {Place} after @param {string} words @param {number} [at] */
function changePlace(desk, after, words, at = desk.at) {
  const before = placeAt(openWork(desk), at);
  if (samePlace(before, after) || !desk.view.gaps[at]) return;
  /** @type {WorkChange} */
  const change = { document: desk.open, at, before, after };
  applyChange(desk.works, change, false);
  recordChange(desk.history, change);
  afterChange(desk, change);
  say(words);
}

/** Put other work in place of that on some documents. @param {Desk} desk
 * @param {Map<number, Work>} works by the number of the document @param {string} words what it is */
function replaceWork(desk, works, words) {
  const all = [...works].map(([document, after]) =>
    ({ document, before: structuredClone(desk.works[document]), after: structuredClone(after) }));
  if (!all.length) return;
  /** @type {WorkChange} */
  const change = { document: all[0].document, at: "all", all, words };
  applyChange(desk.works, change, false);
  recordChange(desk.history, change);
  all.forEach(({ document }) => saveWork(desk, document));
  drawReplaced(desk, all);
}

/** The level of the boundary that was removed where one is, if one was: it comes back with it.
 * @param {Desk} desk @returns {number} */
function levelBefore(desk) {
  const changes = desk.history.done;
  for (let i = changes.length - 1; i >= 0; i -= 1) {
    const one = changes[i];
    if (one.at === null || one.at === "all" || one.document !== desk.open || one.at !== desk.at) continue;
    if (one.before.level > 0) return one.before.level;
  }
  return 1;
}

/** Done, or not done after all. @param {Desk} desk */
function toggleDone(desk) {
  const before = openWork(desk).finished;
  /** @type {WorkChange} */
  const change = { document: desk.open, at: null, before, after: !before };
  applyChange(desk.works, change, false);
  keepAlone(openText(desk), openWork(desk));
  recordChange(desk.history, change);
  afterChange(desk, change);
  const left = desk.works.filter((one) => !one.finished).length;
  say(before ? "Not done any more." : `Done. ${left ? `${counted(left, "document")} left.` : "All documents are done: export your work."}`);
  if (!before) hintAtLabels(desk);
}

/** Say once of a document that segments have no label; it stays done. @param {Desk} desk */
function hintAtLabels(desk) {
  const missing = hasLabels(desk.data) ? unlabelled(openWork(desk)) : [];
  if (!missing.length || desk.hinted.has(desk.open)) return;
  desk.hinted.add(desk.open);
  const open = desk.open;
  tell(`Done. ${counted(missing.length, "segment")} of ${visible(openText(desk).name)} ` +
    `${missing.length === 1 ? "has" : "have"} no ${labelWord(desk.data)} yet.`,
  [{ words: missing.length === 1 ? "Go to it" : "Go to the first", act: () => {
    if (desk.open !== open) openDocument(desk, open);
    goTo(desk, missing[0], { center: true });
  } }]);
}

/** @param {Desk} desk */
function undo(desk) {
  replay(desk, undoneChange(desk.history), true, "Nothing to undo.", "Undone");
}

/** @param {Desk} desk */
function redo(desk) {
  replay(desk, redoneChange(desk.history), false, "Nothing to redo.", "Done again");
}

/** @param {Desk} desk @param {WorkChange|null} change @param {boolean} back @param {string} none
 * @param {string} words */
function replay(desk, change, back, none, words) {
  if (!change) {
    say(none);
    return;
  }
  applyChange(desk.works, change, back);
  afterChange(desk, change);
  if (change.at === "all") {
    tell(`${words}: ${change.words}.`);
    return;
  }
  if (change.at !== null) goTo(desk, change.at);
  say(`${words}: ${change.at === null ? "done" : change.at ? `after unit ${change.at}` : "start of the document"}.`);
}
