// What one can do at a place of the annotation page, and with files.

// ---- What the annotation page asks: a name, a label or a title, a comment ----

/** What was typed, without space around it. @param {string} typed */
const cleanText = (typed) => withoutHalves(typed).normalize("NFC").trim();

/** Names without what one types in different ways on different days. @param {string} name */
const plainName = (name) => name.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();

/** Who is there? @param {string} now @param {string[]} known names with work on this page
 * @param {boolean} must @param {(name: string) => void} answered */
function askName(now, known, must, answered) {
  const hint = el("div", { id: "name-hint", role: "status" });
  const field = el("input", { type: "text", id: "name", value: now, maxlength: 200, autocomplete: "name", autofocus: true,
    "aria-required": "true", "aria-describedby": "name-why name-hint", input: () => hint.replaceChildren() });
  const take = (/** @type {string} */ name) => {
    closeAnswered(box);
    answered(name);
  };
  const nameButton = (/** @type {string} */ name, before = "") => button([before, named(name, 40)], () => take(name));
  const typed = () => {
    const name = cleanText(field.value);
    const like = known.find((one) => one !== name && plainName(one) === plainName(name));
    if (!name) hint.replaceChildren(el("p", { class: "missing" }, "Please type a name."));
    else if (like === undefined || known.includes(name)) take(name);
    else {
      hint.replaceChildren(el("div", { class: "missing" }, el("p", {}, named(like, 40),
        " has work on this page. Are you ", named(like, 40), "?"),
      el("p", { class: "answers" }, nameButton(like, "Yes, I am "), nameButton(name, "No, I am "))));
    }
  };
  const box = openDialog("ask-name", "What is your name?", [
    el("p", { id: "name-why" }, "It is part of your export, so that your boundaries are known as yours. " +
      "Use the same name each time."),
    el("label", { class: "field", for: "name" }, "Name"), field, hint,
    known.length ? el("p", { class: "small" }, "Work in this browser: ", ...known.map((name) => nameButton(name))) : null,
    el("p", { class: "answers" }, okButton("Start"), must ? null : cancelButton(() => box)),
  ], { must, answered: typed });
}

/** A label from a list. @param {string|Node} heading @param {string[]} labels @param {string} now
 * @param {(label: string) => void} answered */
function askLabel(heading, labels, now, answered) {
  const take = (/** @type {string} */ label) => {
    closeAnswered(box);
    answered(label);
  };
  const buttons = labels.map((label, i) => button([...(i < 9 ? [el("kbd", {}, `${i + 1}`), " "] : []), named(label, 120)],
    () => take(label), { "aria-pressed": `${label === now}` }));
  const box = openDialog("ask-label", heading, [
    el("div", { class: "label-list", role: "group", "aria-label": "Labels" }, ...buttons),
    el("p", { class: "answers" }, button("No label", () => take("")), cancelButton(() => box)),
  ], { answered: () => {} });
  (buttons[Math.max(0, labels.indexOf(now))] ?? box).focus();
  box.addEventListener("keydown", (event) => {
    const label = /^[1-9]$/.test(event.key) ? labels[Number(event.key) - 1] : undefined;
    if (label !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      take(label);
    }
  });
}

/** A title or a comment. It is kept at each letter, so that no reload loses it, and whoever leaves by
 * Escape keeps it, too; Cancel puts back what was there.
 * @param {"title"|"comment"} word @param {string|Node} heading @param {string} now
 * @param {(text: string) => void} typed @param {(text: string) => void} answered */
function askText(word, heading, now, typed, answered) {
  const long = word === "comment";
  const field = el(long ? "textarea" : "input", { id: `${word}-field`, rows: long ? 4 : null,
    maxlength: long ? LONGEST_COMMENT : 500, dir: "auto", autofocus: true, autocomplete: "off",
    input: () => typed(cleanText(field.value)),
    keydown: (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      save();
    } });
  field.value = now;
  const send = (/** @type {string} */ text) => {
    closeAnswered(box);
    answered(text);
  };
  const save = () => send(cleanText(field.value));
  const box = openDialog(`ask-${word}`, heading, [
    el("label", { class: "field", for: field.id }, long ? "Comment" : "Title"), field,
    long ? el("p", { class: "small" }, el("span", { class: "by-keys" }, "Ctrl+Enter or Esc saves. "), "An empty comment is removed.") : null,
    el("p", { class: "answers" }, okButton("Save"), button("Cancel", () => send(now))),
  ], { answered: save, left: save });
  if (!long) field.select();
}

// ---- What can be done at the place where one is, by buttons and by keys: the same functions ----

const QUOTED = 80; // characters of a unit that a dialog quotes

/** @param {Desk} desk @returns {Place} */
const placeHere = (desk) => placeAt(openWork(desk), desk.at);

/** @param {number} p */
const whereWords = (p) => (p ? `after unit ${p.toLocaleString("en")}` : "at the start of the document");

/** Set or remove the boundary. What else is known of the place stays, and comes back with it.
 * @param {Desk} desk */
function toggleHere(desk) {
  if (desk.at === 0) {
    nameHere(desk);
    return;
  }
  const place = placeHere(desk);
  const level = place.level ? 0 : levelBefore(desk);
  changePlace(desk, { ...place, level }, `Boundary ${place.level ? "removed" : "set"} ${whereWords(desk.at)}.`);
}

/** Set the boundary with a level. @param {Desk} desk @param {number} level */
function levelHere(desk, level) {
  if (desk.data.levels < 2) say("This page has one level.");
  else if (level > desk.data.levels) say(`This page has ${desk.data.levels} levels.`);
  else if (desk.at > 0) changePlace(desk, { ...placeHere(desk), level }, `Boundary of level ${level} ${whereWords(desk.at)}.`);
}

/** @param {Desk} desk */
function unsureHere(desk) {
  if (desk.at === 0) return;
  const place = placeHere(desk);
  changePlace(desk, { ...place, unsure: !place.unsure },
    `${place.unsure ? "No longer unsure" : "Unsure"} ${whereWords(desk.at)}.`);
}

/** @param {Desk} desk */
function commentHere(desk) {
  if (desk.at === 0) return;
  typeAt(desk, desk.at, "comment", `Comment ${whereWords(desk.at)}`, (text) => (text ? "Comment saved." : "No comment."));
}

/** Ask for a text at a position: it is saved as it is typed, and is one step to undo.
 * @param {Desk} desk @param {number} p @param {"title"|"comment"} word @param {string|Node} heading
 * @param {(text: string) => string} told */
function typeAt(desk, p, word, heading, told) {
  const part = word === "title" ? "label" : "comment";
  const now = () => placeAt(openWork(desk), p);
  const before = now()[part];
  const put = (/** @type {string} */ text) =>
    putWorks(desk, [[desk.open, withPlace(openWork(desk), p, { ...now(), [part]: text })]]);
  askText(word, heading, before, put, (text) => {
    if (now()[part] !== before) put(before);
    changePlace(desk, { ...now(), [part]: text }, told(text), p);
  });
}

/** Name the segment that starts here; where none starts, the one that one is in. One stays where
 * one is. @param {Desk} desk */
function nameHere(desk) {
  if (!hasLabels(desk.data)) {
    say("This page asks for no labels.");
    return;
  }
  const start = segmentStart(openWork(desk), desk.at);
  const now = () => placeAt(openWork(desk), start);
  const word = labelWord(desk.data);
  const heading = el("span", {}, `${word === "title" ? "Title" : "Label"} of the segment that starts with unit ` +
    `${(start + 1).toLocaleString("en")}: `, el("q", { dir: "auto" }, firstWords(openText(desk).units[start])));
  const told = (/** @type {string} */ label) => (label ? `The segment is called ${label}.` : `No ${word}.`);
  if (word === "title") typeAt(desk, start, word, heading, told);
  else askLabel(heading, desk.data.labels, now().label, (label) => changePlace(desk, { ...now(), label }, told(label), start));
}

/** How a unit begins. @param {string} text */
function firstWords(text) {
  const line = [...text.slice(0, 400).replace(/\s+/gu, " ").trim()];
  const cut = line.slice(0, QUOTED).join("");
  return line.length > QUOTED ? `${cut.replace(/\s\S{0,20}$/u, "")} …` : cut;
}

/** Draw the bar below the text, which is always in sight. @param {Desk} desk */
function drawTools(desk) {
  const { at, data, history } = desk;
  const place = placeHere(desk);
  const units = openText(desk).units.length;
  const nothing = units < 2 && !hasLabels(data);
  need("where").textContent = nothing ? counted(units, "unit")
    : at ? `Between ${at.toLocaleString("en")} and ${(at + 1).toLocaleString("en")}` : "Start of the document";
  const levels = [...document.querySelectorAll("#levels button")];
  levels.forEach((one, i) => { one.ariaPressed = `${place.level === i + 1}`; });
  need("set").ariaPressed = `${place.level > 0 && at > 0}`;
  need("unsure").ariaPressed = `${place.unsure}`;
  need("comment").ariaPressed = `${Boolean(place.comment)}`;
  for (const one of [need("set"), need("unsure"), need("comment"), ...levels]) one.ariaDisabled = `${at === 0 || nothing}`;
  need("undo").ariaDisabled = `${!history.done.length}`;
  need("redo").ariaDisabled = `${!history.undone.length}`;
}

// ---- Export and import of the work on a page, work on another page over the same texts, and starting over ----

const MOST_NAMES = 5; // documents that a message names

/** What was begun, in other tabs, too. @param {Desk} desk @returns {[TextDocument, Work][]} */
function begunWork(desk) {
  desk.keeping.hear();
  return desk.data.documents.map((doc, i) => /** @type {[TextDocument, Work]} */ ([doc, desk.works[i]]))
    .filter(([doc, work]) => !isUntouched(doc, work));
}

/** The names of documents, or of the first of them. @param {TextDocument[]} documents */
function namesOf(documents) {
  const shown = documents.slice(0, MOST_NAMES).map((doc) => visible(doc.name).slice(0, 60)).join(", ");
  return documents.length > MOST_NAMES ? `${shown} and ${documents.length - MOST_NAMES} more` : shown;
}

/** How an export is called. @param {Desk} desk @param {"jsonl"|"csv"} form */
const fileName = ({ data, coder }, form) =>
  safeFileName([data.title ?? "annotation", data.round, coder].filter((one) => one !== null).join("-"), `.${form}`);

/** Offer a file of what was begun. @param {Desk} desk @param {[TextDocument, Work][]} begun
 * @returns {string} its name */
function offerWork(desk, begun) {
  const name = fileName(desk, "jsonl");
  offerFile(name, jsonLines(exportedRows(desk.data, begun, desk.coder)), "application/jsonl");
  markExported(desk.keeping);
  return name;
}

/** Download all codings. @param {Desk} desk @param {"jsonl"|"csv"} form */
function exportWork(desk, form) {
  const begun = begunWork(desk);
  if (!begun.length) {
    askWhich("Nothing to export yet", ["Mark a boundary, or press “Done” for a document without one."]);
    return;
  }
  if (form === "jsonl") {
    tellExport(desk, `Exported ${counted(begun.length, "document")} as ${offerWork(desk, begun)}.`, begun);
    return;
  }
  const table = exportedTable(desk.data, begun, desk.coder);
  if (table.length < 2) {
    askWhich("Nothing is done yet", ["The table for spreadsheets holds the documents that are done. “Export” also includes the others."]);
    return;
  }
  const name = fileName(desk, "csv");
  offerFile(name, `\ufeff${csvOf(table)}`, "text/csv");
  const held = begun.filter(([doc, work]) => work.finished && !doc.gold).length;
  const open = desk.data.documents.filter((doc, i) => !doc.gold && !desk.works[i].finished);
  tell(`Exported ${counted(held, "document")} as ${name}.` + (open.length
    ? ` The table holds only what is done. Not done, and not in it: ${namesOf(open)}.` : ""));
}

/** Say what was exported, and what of it will not count. @param {Desk} desk @param {string} words
 * @param {[TextDocument, Work][]} begun */
function tellExport(desk, words, begun) {
  const open = begun.filter(([doc, work]) => !doc.gold && !work.finished).map(([doc]) => doc);
  const left = desk.works.filter((work) => !work.finished).length - open.length;
  if (!open.length) {
    tell(`${words} ${left ? `${counted(left, "document")} left to do.` : "Send it to the person who gave you this page."}`);
    return;
  }
  const numbers = open.map((doc) => desk.data.documents.indexOf(doc));
  const one = open.length === 1;
  tell(`${words} ${counted(open.length, "document")} ${one ? "is" : "are"} not done and will be left out by segscore: ` +
    `${namesOf(open)}.`, [
    { words: `Mark ${one ? "it" : "them"} done and export again`, act: () => {
      changeWorks(desk, numbers.map((i) => [i, { ...desk.works[i], finished: true }]),
        `${counted(open.length, "document")} marked as done`);
      exportWork(desk, "jsonl");
    } },
    { words: `Go to ${visible(open[0].name).slice(0, 40)}`, act: () => openDocument(desk, numbers[0]) },
  ]);
}

/** Take back one's own export. @param {Desk} desk */
function importWork(desk) {
  askForFile(async (file) => {
    try {
      const rows = rowsOfLines(await textOfFile(file), file.name);
      chooseImport(desk, importedWork(desk.data, desk.coder, rows));
    } catch (error) {
      askWhich("This file cannot be imported", [error instanceof Error ? error.message : `${error}`]);
    }
  });
}

/** Import what does no harm, and ask about the rest. @param {Desk} desk @param {ImportedFile} file */
function chooseImport(desk, { found, refused, elsewhere }) {
  if (!found.size) {
    askWhich("This file cannot be imported", refused);
    return;
  }
  const changed = [...found].filter(([i, one]) => !sameMarks(one.work, desk.works[i]));
  const lost = changed.filter(([i]) => !isUntouched(desk.data.documents[i], desk.works[i]));
  const others = changed.filter((one) => !lost.includes(one));
  const take = (/** @type {[number, ImportedWork][]} */ taken) =>
    takeImport(desk, taken, found.size - changed.length + taken.length, refused, elsewhere);
  if (!lost.length) {
    take(changed);
    return;
  }
  const when = (/** @type {string} */ word, /** @type {string|null|undefined} */ time) => (time ? `, ${word} ${savedWhen(time)}` : "");
  askToReplace(lost.map(([i, one]) => ({ name: desk.data.documents[i].name,
    here: amountOf(desk.works[i]) + when("saved", desk.keeping.entries.get(workId(desk.data.documents[i]))?.saved),
    file: amountOf(one.work) + when("exported", one.exported) })), others.length, { all: () => take(changed), others: () => take(others) });
}

/** @param {Desk} desk @param {[number, ImportedWork][]} taken @param {number} all documents of the
 * file that are here now @param {string[]} refused @param {boolean} elsewhere */
function takeImport(desk, taken, all, refused, elsewhere) {
  changeWorks(desk, taken.map(([i, one]) => [i, one.work]), `import of ${counted(taken.length, "document")}`);
  markExported(desk.keeping, taken.map(([i]) => workId(desk.data.documents[i])));
  const left = refused.length ? ` Left out: ${refused.slice(0, MOST_NAMES).join(" ")}` +
    `${refused.length > MOST_NAMES ? ` And ${refused.length - MOST_NAMES} more.` : ""}` : "";
  const of = refused.length ? ` of ${all + refused.length}` : "";
  tell(`Imported ${of ? `${all}${of} documents` : counted(all, "document")}; ${taken.length} changed.` +
    `${elsewhere ? " The file is from another page over the same texts." : ""}${left}`,
    taken.length ? [{ words: "Undo", act: () => step(desk, true) }] : refused.length ? [{ words: "Understood", act: () => {} }] : []);
}

/** Work of this coder on the same texts that this browser has kept for another page, of documents on
 * which nothing was done here. @param {Desk} desk */
function copiesFor(desk) {
  const { documents } = desk.data;
  const there = workElsewhere(desk.keeping, documents.map(workId));
  const found = documents.flatMap((doc, i) => {
    const kept = there?.entries.get(workId(doc))?.work;
    const work = unpackedWork(doc, kept);
    const kind = { practice: kept?.practice === true, prefilled: kept?.prefilled ?? null };
    const fits = work && !desk.keeping.raw.get(workId(doc)) && !isUntouched(doc, work) && !misfit(desk.data, doc, work, kind);
    return fits ? [/** @type {[number, Work]} */ ([i, work])] : [];
  });
  return { there, found };
}

/** Offer a copy of them. @param {Desk} desk */
function offerElsewhere(desk) {
  const setting = `elsewhere ${desk.coder}`;
  const { there, found } = copiesFor(desk);
  if (!there || !found.length || recalled(desk.data.page, setting)) return;
  tell(`Work of ${visible(desk.coder)} on ${found.length} of these documents belongs to another page, ` +
    `“${visible(there.title).slice(0, 60)}”, saved ${savedWhen(there.saved)}, and stays there. Import a copy?`, [
    { words: "Import", act: () => {
      const now = copiesFor(desk).found; // something may have been done here since the offer
      changeWorks(desk, now, `import of ${counted(now.length, "document")}`);
      tell(`Imported ${counted(now.length, "document")}.${now.length < found.length ? " What was begun here stays." : ""}`,
        now.length ? [{ words: "Undo", act: () => step(desk, true) }] : []);
    } },
    { words: "No", act: () => remember(desk.data.page, setting, "no") },
  ]);
}

/** Empty every document, after an export. Of practice, what was done without feedback stays.
 * @param {Desk} desk */
function startOver(desk) {
  const begun = begunWork(desk);
  if (!begun.length) {
    askWhich("Nothing to start over", ["Nothing was done on this page yet."]);
    return;
  }
  askWhich("Start over?", [`Your work on ${counted(begun.length, "document")} is exported first; then it is removed from this page. ` +
    "You can undo this until you close the page."], [{ words: "Export and start over", act: () => {
    const name = offerWork(desk, begunWork(desk));
    changeWorks(desk, desk.data.documents.map((doc, i) => {
      const { alone } = desk.works[i];
      return [i, { ...firstWork(doc), ...(alone ? { alone } : {}) }];
    }), "starting over");
    markExported(desk.keeping); // there is nothing new
    tell(`Exported ${counted(begun.length, "document")} as ${name}, and started over.`, [{ words: "Undo", act: () => step(desk, true) }]);
  } }], "Cancel");
}
