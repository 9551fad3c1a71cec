// @ts-check
// Export and import of the work on a page, work on another page over the same texts, and starting over.
import { counted, visible } from "./elements.js";
import { amountOf, exportedRows, exportedTable, importedWork, isUntouched, misfit, sameMarks } from "./annotation_files.js";
import { askWhether, tellInDialog } from "./dialogs.js";
import { openDocument, replaceWork, tell, undo, workId } from "./annotation_desk.js";
import { firstWork, unpackedWork } from "./annotation_state.js";
import { csvOf, jsonLines, offerFile, safeFileName } from "./download.js";
import { askForFile, rowsOfLines, textOfFile } from "./import_file.js";
import { askToReplace } from "./replace_dialog.js";
import { markExported, recalled, remember, savedWhen, workElsewhere } from "./keeping.js";

/** @import { Desk } from "./annotation_desk.js" */
/** @import { ImportedWork, ImportedFile } from "./annotation_files.js" */
/** @import { TextDocument, Work } from "./annotation_state.js" */

const MOST_NAMES = 5; // documents that a message names

/** What was begun, in other tabs, too. @param {Desk} desk @returns {[TextDocument, Work][]} */
function begunWork(desk) {
  desk.keeping.hear();
  return desk.data.documents.flatMap((doc, i) => {
    /** @type {[TextDocument, Work][]} */
    const found = isUntouched(doc, desk.works[i]) ? [] : [[doc, desk.works[i]]];
    return found;
  });
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
export function exportWork(desk, form) {
  const begun = begunWork(desk);
  if (!begun.length) {
    tellInDialog("Nothing to export yet", "Mark a boundary, or press “Done” for a document without one.");
    return;
  }
  if (form === "jsonl") {
    tellExport(desk, `Exported ${counted(begun.length, "document")} as ${offerWork(desk, begun)}.`, begun);
    return;
  }
  const table = exportedTable(desk.data, begun, desk.coder);
  if (table.length < 2) {
    tellInDialog("Nothing is done yet", "The table for spreadsheets holds the documents that are done. " +
      "“Export” also includes the others.");
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
      replaceWork(desk, new Map(numbers.map((i) => [i, { ...desk.works[i], finished: true }])),
        `${counted(open.length, "document")} marked as done`);
      exportWork(desk, "jsonl");
    } },
    { words: `Go to ${visible(open[0].name).slice(0, 40)}`, act: () => openDocument(desk, numbers[0]) },
  ]);
}

/** Take back one's own export. @param {Desk} desk */
export function importWork(desk) {
  askForFile(".jsonl", async (file) => {
    try {
      const rows = rowsOfLines(await textOfFile(file), file.name);
      chooseImport(desk, importedWork(desk.data, desk.coder, rows));
    } catch (error) {
      tellInDialog("This file cannot be imported", error instanceof Error ? error.message : `${error}`);
    }
  });
}

/** Import what does no harm, and ask about the rest. @param {Desk} desk @param {ImportedFile} file */
function chooseImport(desk, { found, refused, elsewhere }) {
  if (!found.size) {
    tellInDialog("This file cannot be imported", ...refused);
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
  const versions = lost.map(([i, one]) => ({ name: desk.data.documents[i].name,
    here: `${amountOf(desk.works[i])}${whenSaved(desk, i)}`,
    file: `${amountOf(one.work)}${one.exported ? `, exported ${savedWhen(one.exported)}` : ""}` }));
  askToReplace(versions, others.length, { all: () => take(changed), others: () => take(others) });
}

/** @param {Desk} desk @param {number} i */
function whenSaved(desk, i) {
  const saved = desk.keeping.entries.get(workId(desk.data.documents[i]))?.saved;
  return saved ? `, saved ${savedWhen(saved)}` : "";
}

/** @param {Desk} desk @param {[number, ImportedWork][]} taken @param {number} all documents of the
 * file that are here now @param {string[]} refused @param {boolean} elsewhere */
function takeImport(desk, taken, all, refused, elsewhere) {
  replaceWork(desk, new Map(taken.map(([i, one]) => [i, one.work])), `import of ${counted(taken.length, "document")}`);
  markExported(desk.keeping, taken.map(([i]) => workId(desk.data.documents[i])));
  const left = refused.length ? ` Left out: ${refused.slice(0, MOST_NAMES).join(" ")}` +
    `${refused.length > MOST_NAMES ? ` And ${refused.length - MOST_NAMES} more.` : ""}` : "";
  const of = refused.length ? ` of ${all + refused.length}` : "";
  tell(`Imported ${of ? `${all}${of} documents` : counted(all, "document")}; ${taken.length} changed.` +
    `${elsewhere ? " The file is from another page over the same texts." : ""}${left}`,
    taken.length ? [{ words: "Undo", act: () => undo(desk) }] : refused.length ? [{ words: "Understood", act: () => {} }] : []);
}

/** Work of this coder on the same texts that this browser has kept for another page, of documents on
 * which nothing was done here. @param {Desk} desk */
function copiesFor(desk) {
  const { documents } = desk.data;
  const there = workElsewhere(desk.keeping, documents.map(workId));
  /** @type {Map<number, Work>} */
  const found = new Map();
  documents.forEach((doc, i) => {
    const kept = there?.entries.get(workId(doc))?.work;
    const work = unpackedWork(doc, kept);
    const kind = { practice: kept?.practice === true, prefilled: kept?.prefilled ?? null };
    if (work && !desk.keeping.raw.get(workId(doc)) && !isUntouched(doc, work) &&
      !misfit(desk.data, doc, work, kind)) found.set(i, work);
  });
  return { there, found };
}

/** Offer a copy of them. @param {Desk} desk */
export function offerElsewhere(desk) {
  const setting = `elsewhere ${desk.coder}`;
  const { there, found } = copiesFor(desk);
  if (!there || !found.size || recalled(desk.data.page, setting)) return;
  tell(`Work of ${visible(desk.coder)} on ${found.size} of these documents belongs to another page, ` +
    `“${visible(there.title).slice(0, 60)}”, saved ${savedWhen(there.saved)}, and stays there. Import a copy?`, [
    { words: "Import", act: () => {
      const now = copiesFor(desk).found; // something may have been done here since the offer
      replaceWork(desk, now, `import of ${counted(now.size, "document")}`);
      tell(`Imported ${counted(now.size, "document")}.${now.size < found.size ? " What was begun here stays." : ""}`,
        now.size ? [{ words: "Undo", act: () => undo(desk) }] : []);
    } },
    { words: "No", act: () => remember(desk.data.page, setting, "no") },
  ]);
}

/** Empty every document, after an export. Of practice, what was done without feedback stays.
 * @param {Desk} desk */
export function startOver(desk) {
  const begun = begunWork(desk);
  if (!begun.length) {
    tellInDialog("Nothing to start over", "Nothing was done on this page yet.");
    return;
  }
  askWhether("Start over?", `Your work on ${counted(begun.length, "document")} is exported first; then it is removed from this page. ` +
    "You can undo this until you close the page.", "Export and start over", () => {
    const name = offerWork(desk, begunWork(desk));
    replaceWork(desk, new Map(desk.data.documents.map((doc, i) => {
      const { alone } = desk.works[i];
      return [i, { ...firstWork(doc), ...(alone ? { alone } : {}) }];
    })), "starting over");
    markExported(desk.keeping); // there is nothing new
    tell(`Exported ${counted(begun.length, "document")} as ${name}, and started over.`, [{ words: "Undo", act: () => undo(desk) }]);
  });
}
