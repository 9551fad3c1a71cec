// @ts-check
// Export and import of the work on a page.
import { counted } from "./elements.js";
import { exportedRows, exportedTable, importedWork, isUntouched, sameMarks } from "./annotation_files.js";
import { askWhether, tellInDialog } from "./dialogs.js";
import { drawDocument, drawShelfEntry, saveWork, say, workId } from "./annotation_desk.js";
import { csvOf, jsonLines, offerFile, safeFileName } from "./download.js";
import { askForFile, rowsOfLines, textOfFile } from "./import_file.js";
import { keepChanges } from "./history.js";
import { markExported } from "./keeping.js";

/** @import { Desk } from "./annotation_desk.js" */
/** @import { TextDocument, Work } from "./annotation_state.js" */

/** What was begun. @param {Desk} desk @returns {[TextDocument, Work][]} */
function begunWork(desk) {
  return desk.data.documents.flatMap((doc, i) => {
    /** @type {[TextDocument, Work][]} */
    const found = isUntouched(doc, desk.works[i]) ? [] : [[doc, desk.works[i]]];
    return found;
  });
}

/** Download all codings. @param {Desk} desk @param {"jsonl"|"csv"} form */
export function exportWork(desk, form) {
  const begun = begunWork(desk);
  if (!begun.length) {
    tellInDialog("Nothing to export yet", "Mark a boundary, or press “Done” for a document without one.");
    return;
  }
  const name = safeFileName(`${desk.data.title ?? "annotation"}-${desk.coder}`, `.${form}`);
  if (form === "jsonl") {
    offerFile(name, jsonLines(exportedRows(desk.data, begun, desk.coder)), "application/jsonl");
    markExported(desk.keeping);
  } else {
    const table = exportedTable(desk.data, begun, desk.coder);
    if (table.length < 2) {
      tellInDialog("Nothing is done yet", "The table for spreadsheets holds the documents that are done. " +
        "“Export” also includes the others.");
      return;
    }
    offerFile(name, `\ufeff${csvOf(table)}`, "text/csv");
  }
  const open = begun.filter(([, work]) => !work.finished).length;
  say(`Exported ${counted(begun.length, "document")} as ${name}.` +
    (open ? ` ${counted(open, "document")} not done${form === "csv" ? ", and not in it" : ""}.` : ""));
}

/** Take back one's own export. @param {Desk} desk */
export function importWork(desk) {
  askForFile(".jsonl", async (file) => {
    try {
      const rows = rowsOfLines(await textOfFile(file), file.name);
      takeImport(desk, importedWork(desk.data, desk.coder, rows));
    } catch (error) {
      tellInDialog("This file cannot be imported", error instanceof Error ? error.message : `${error}`);
    }
  });
}

/** @param {Desk} desk @param {Map<number, Work>} found */
function takeImport(desk, found) {
  const others = [...found].filter(([i, work]) => !sameMarks(work, desk.works[i]));
  const lost = others.filter(([i]) => !isUntouched(desk.data.documents[i], desk.works[i]));
  const take = () => {
    for (const [i, work] of others) {
      desk.works[i] = work;
      saveWork(desk, i);
    }
    markExported(desk.keeping, others.map(([i]) => workId(desk.data.documents[i])));
    keepChanges(desk.history, (change) => !others.some(([i]) => i === change.document));
    others.forEach(([i]) => drawShelfEntry(desk, i));
    drawDocument(desk);
    say(`Imported ${counted(found.size, "document")}, ${others.length} of them other than here.`);
  };
  if (!lost.length) take();
  else {
    askWhether("Replace what is here?", `The file has another version of ${counted(lost.length, "document")} on which ` +
      "you have worked here. What is here would be lost.", "Replace it", take);
  }
}
