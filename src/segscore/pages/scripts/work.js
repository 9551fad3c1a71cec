// Work that a person does on a page: dialogs, changes, what is kept in the browser, files brought back.

// ---- What every page may ask or tell ----

/** @typedef {{words: string, act: () => void}} Way   (a button, and what it does) */

/** A button that closes a dialog, and nothing else happens. @param {() => HTMLDialogElement} box */
const cancelButton = (box) => button("Cancel", () => closeAnswered(box()));

/** Which of some ways to go? The last one is safe: it has the focus, and Escape takes it, too.
 * @param {string} heading @param {(Node|string)[]} inside strings are paragraphs
 * @param {Way[]} [ways] @param {string} [safe] */
function askWhich(heading, inside, ways = [], safe = "Close") {
  const buttons = ways.map(({ words, act }) => button(words, () => {
    closeAnswered(box);
    act();
  }));
  const stay = button(safe, () => closeAnswered(box), { class: "primary" });
  const box = openDialog("ask-which", heading, [
    ...inside.map((one) => (typeof one === "string" ? el("p", {}, one) : one)),
    el("p", { class: "answers" }, ...buttons, stay)]);
  stay.focus();
}

/** Tell screen readers what happened. @param {string} words */
function say(words) {
  const box = need("said");
  box.textContent = box.textContent === words ? `${words}\u00a0` : words; // the same twice is told twice
}

/** Tell everyone what happened: one message in sight, until it is closed.
 * @param {string} words @param {Way[]} [ways] without any to choose, it goes at the next change */
function tell(words, ways = []) {
  const box = need("notice");
  box.replaceChildren(el("p", { dir: "auto" }, words), ...ways.map((one) => button(one.words, () => {
    closeNotice();
    one.act();
  })), button("✕", () => closeNotice(), { class: "shut", "aria-label": "Close this message" }));
  box.classList.toggle("passing", ways.every((one) => one.words === "Undo")); // of the last change, and of no other
  box.hidden = false;
  say(words);
}

/** Close the message. @param {boolean} [passing] only if it has nothing to choose */
function closeNotice(passing = false) {
  const box = need("notice");
  if (passing && !box.classList.contains("passing")) return;
  const focused = box.contains(document.activeElement);
  box.hidden = true;
  box.replaceChildren();
  if (focused) /** @type {HTMLElement|null} */ (document.querySelector(".text .here"))?.focus({ preventScroll: true });
}

// ---- Undo and redo, without limit in a session ----

/**
 * @typedef {{document: any, before: any, after: any}} Part   (the work on a document)
 * @typedef {{parts: Part[], at: number|null, words: string}} Change   (at: the position, if it is one)
 * @typedef {{done: Change[], undone: Change[]}} History
 */

/** A change was made: what had been undone cannot be done again.
 * @param {History} history @param {Change} change */
function recordChange(history, change) {
  history.done.push(change);
  history.undone.length = 0;
}

/** The change to be undone or done again, or null. What other tabs did meanwhile stays: of the work,
 * only what the change has changed goes back. @param {History} history @param {boolean} back
 * @param {(document: any) => any} workOn @returns {{change: Change, works: [any, any][]}|null} */
function steppedChange(history, back, workOn) {
  const [from, to] = back ? [history.done, history.undone] : [history.undone, history.done];
  const change = from.pop();
  if (!change) return null;
  to.push(change);
  return { change, works: change.parts.map(({ document, before, after }) =>
    [document, back ? joined(after, workOn(document), before) : joined(before, workOn(document), after)]) };
}

// ---- Nothing is lost: the work on each document is saved in the browser at every change ----
//
// A page makes one `Keeping` for its coder (`startKeeping`), reads what was kept (`keptWork`), and
// calls `keepWork` after every change. Work is any plain object that JSON can hold. Each document
// has an entry of its own, so that a change writes only that one. Whatever goes wrong is told at
// once, in words (`keeping.told`), and the page works on in memory: export still works.
//
// Two tabs of one page and coder are one desk: each follows what the other saves. A tab that has not
// heard of the other one yet finds out when it writes, or by what it hears next; then the works are
// joined, part by part, and where both changed the same part, what was done last holds. No tab removes
// an entry: whoever does is another program (all files on a disk may share one storage) or a setting of
// the browser, so that what is missing, or no entry any more, is written again.

/**
 * @typedef {{tab: string, saved: string, after?: string, exported: string|null, work: any}} Entry
 *   (saved, exported: ISO times; exported is null if the work has changed since, or never was;
 *   after: the entry from which it was made, see `entryName`)
 * @typedef {"full"|"unavailable"|null} Trouble   (of the storage)
 * @typedef {{
 *   page: string, coder: string, tab: string, store: Storage|null,
 *   entries: Map<string, Entry>, raw: Map<string, string|null>, shared: Map<string, any>,
 *   damaged: Map<string, string|null>, trouble: Trouble,
 *   told: (keeping: Keeping) => void, follow: Follow, hear: () => void, stop: () => void}} Keeping
 *   (entries: what this tab holds, by document; raw: what it last knew to be stored, null: nothing;
 *   shared: the work that it last read, rather than wrote; damaged: documents of which not all that is
 *   stored can be read, with the key of the copy that was made of it, null: none could be made;
 *   told: called whenever anything that the person should see has changed; follow: draws work on a
 *   document that another tab has changed; hear: read what other tabs have saved; stop: hear no more)
 * @typedef {(document: string, work: any) => void} Follow
 */

/** The storage of the browser, or of this tab, if it may be used: to ask for it can throw, and so can
 * writing. @param {"localStorage"|"sessionStorage"} [kind] @returns {Storage|null} */
function usableStorage(kind = "localStorage") {
  try {
    const store = window[kind];
    const key = "segscore:trial";
    store.getItem(key);
    try {
      store.setItem(key, "1");
      store.removeItem(key);
    } catch (error) {
      if (!isFull(error)) return null; // full: what stands there can still be read
    }
    return store;
  } catch {
    return null;
  }
}

/** @param {unknown} error */
function isFull(error) {
  return error instanceof DOMException &&
    (error.name === "QuotaExceededError" || error.name === "NS_ERROR_DOM_QUOTA_REACHED");
}

/** @param {...string} parts */
function storageKey(...parts) {
  const whole = parts.map((one) => one.replace(/\p{Cs}/gu, "\ufffd")); // or encoding would throw
  return ["segscore", ...whole].map(encodeURIComponent).join(":");
}

/**
 * Keep the work of a coder on a page from now on.
 * @param {string} page the id of the page @param {string} coder
 * @param {(keeping: Keeping) => void} told draws how things stand (`keepingWords`)
 * @param {Follow} follow
 * @returns {Keeping}
 */
function startKeeping(page, coder, told, follow) {
  const store = usableStorage();
  /** @type {Keeping} */
  const keeping = { page, coder, tab: newTabName(), store, entries: new Map(), raw: new Map(), shared: new Map(),
    damaged: new Map(), trouble: store ? null : "unavailable", told, follow, hear: () => {}, stop: () => {} };
  /** @param {StorageEvent} event */
  const heard = (event) => {
    for (const document of keeping.raw.keys()) {
      if (event.key === null) hearOther(keeping, document, null); // somebody has emptied the storage
      else if (event.key === entryKey(keeping, document)) hearOther(keeping, document, event.newValue);
    }
  };
  keeping.hear = () => { // a tab that slept has heard nothing
    for (const [document, raw] of keeping.raw) {
      const now = storedText(keeping, document);
      if (now !== raw) hearOther(keeping, document, now);
    }
  };
  const until = new AbortController();
  keeping.stop = () => until.abort();
  window.addEventListener("storage", heard, until);
  window.addEventListener("focus", keeping.hear, until);
  return keeping;
}

function newTabName() {
  return [...crypto.getRandomValues(new Uint32Array(2))].map((one) => one.toString(36)).join("");
}

/**
 * The work on a document as it was kept, or null.
 * @param {Keeping} keeping @param {string} document an id that stays: its name and hash
 * @param {any} first the work that it starts with
 * @param {(work: any) => boolean} [whole] whether the page can read all of it
 * @returns {any}
 */
function keptWork(keeping, document, first, whole = () => true) {
  const raw = storedText(keeping, document);
  keeping.raw.set(document, raw);
  const entry = entryFrom(raw);
  if (raw !== null && !(entry && whole(entry.work))) keeping.damaged.set(document, copyOf(keeping, document, raw));
  if (entry) keeping.entries.set(document, entry);
  else keeping.entries.delete(document);
  keeping.shared.set(document, entry?.work ?? first);
  return entry?.work ?? null;
}

/** A copy of what cannot be read, for whoever can. @param {Keeping} keeping @param {string} document
 * @param {string} raw @returns {string|null} its key */
function copyOf(keeping, document, raw) {
  const start = storageKey(keeping.page, keeping.coder, "damaged", document);
  try {
    for (let i = 1; ; i += 1) {
      const held = keeping.store?.getItem(`${start}:${i}`) ?? null;
      if (held === null) keeping.store?.setItem(`${start}:${i}`, raw);
      if (held === null || held === raw) return `${start}:${i}`;
    }
  } catch {
    return null;
  }
}

/** @param {Keeping} keeping @param {string} document @returns {string|null} */
function storedText(keeping, document) {
  if (!keeping.store) return null;
  try {
    return keeping.store.getItem(entryKey(keeping, document));
  } catch {
    keeping.trouble = "unavailable";
    return null;
  }
}

/** @param {Keeping} keeping @param {string} document */
const entryKey = (keeping, document) => storageKey(keeping.page, keeping.coder, "work", document);

/** An entry, or null if it is none: other programs may write where we do.
 * @param {string|null} raw @returns {Entry|null} */
function entryFrom(raw) {
  if (raw === null) return null;
  try {
    const held = JSON.parse(raw);
    return held && typeof held === "object" && typeof held.saved === "string" && "work" in held
      ? held : null;
  } catch {
    return null;
  }
}

/** By what an entry is known. @param {Entry|null|undefined} entry */
const entryName = (entry) => (entry ? `${entry.saved} ${entry.tab}` : "");

/**
 * Save the work on a document. It is held in memory in any case; whether it was written, and if
 * not why, is told.
 * @param {Keeping} keeping @param {string} document @param {any} work
 * @returns {boolean} whether it was written
 */
function keepWork(keeping, document, work) {
  keeping.entries.set(document, { tab: keeping.tab, saved: new Date().toISOString(), exported: null, work });
  const written = tryToWrite(keeping, document);
  keeping.told(keeping);
  return written;
}

/** Write the entry of a document. @param {Keeping} keeping @param {string} document */
function tryToWrite(keeping, document) {
  if (!keeping.store) return false;
  const now = storedText(keeping, document);
  if (keeping.damaged.get(document) === null) { // not copied yet: it must not be lost
    const key = copyOf(keeping, document, now ?? "");
    if (key === null) {
      keeping.trouble = "full";
      return false;
    }
    keeping.damaged.set(document, key);
  }
  if (now !== (keeping.raw.get(document) ?? null) && !joinOther(keeping, document, now)) return true;
  const raw = JSON.stringify({ ...keeping.entries.get(document), after: entryName(entryFrom(keeping.raw.get(document) ?? null)) });
  try {
    keeping.store.setItem(entryKey(keeping, document), raw);
  } catch (error) {
    keeping.trouble = isFull(error) ? "full" : "unavailable";
    return false;
  }
  keeping.trouble = null;
  keeping.raw.set(document, raw);
  return true;
}

// ---- other tabs ----

/** @param {any} one @param {any} other */
function sameWork(one, other) {
  const plain = (/** @type {any} */ work) => JSON.stringify(work, (key, value) => (key === "seconds" ? undefined : value));
  return plain(one) === plain(other); // time alone is no other work
}

/** Another tab has saved something, or nothing is stored any more. @param {Keeping} keeping
 * @param {string} document @param {string|null} raw */
function hearOther(keeping, document, raw) {
  if (joinOther(keeping, document, raw)) tryToWrite(keeping, document);
  keeping.told(keeping);
}

/** Hold what another tab has saved, with what this one has that the other had not seen.
 * @param {Keeping} keeping @param {string} document @param {string|null} raw
 * @returns {boolean} whether this tab has more than is stored */
function joinOther(keeping, document, raw) {
  const [other, mine, known] = [entryFrom(raw), keeping.entries.get(document), entryFrom(keeping.raw.get(document) ?? null)];
  if (!other) return mine !== undefined;
  const base = known && other.after === entryName(known) ? known.work : keeping.shared.get(document);
  const late = mine && entryName(mine) > entryName(other);
  const work = !mine ? other.work : late ? joined(base, other.work, mine.work) : joined(base, mine.work, other.work);
  const more = !sameWork(work, other.work);
  keeping.raw.set(document, raw);
  keeping.shared.set(document, other.work);
  keeping.entries.set(document, more ? { tab: keeping.tab, saved: new Date().toISOString(), exported: null, work } : other);
  if (!sameWork(work, mine?.work)) keeping.follow(document, work);
  return more;
}

/** Two works that were one: what either of them changed; where both did, the last one counts.
 * @param {any} base @param {any} first @param {any} last @returns {any} */
function joined(base, first, last) {
  if (Array.isArray(first) && Array.isArray(last)) { // of positions
    const old = new Set(base);
    const [a, b] = [new Set(first), new Set(last)];
    return [...new Set([...first, ...last])].filter((one) => (a.has(one) && b.has(one)) || !old.has(one))
      .sort((one, other) => one - other);
  }
  if ([first, last].every((one) => one?.constructor === Object)) {
    return Object.fromEntries(Object.keys({ ...first, ...last })
      .map((key) => [key, joined(base?.[key], first[key], last[key])]).filter(([, value]) => value !== undefined));
  }
  return JSON.stringify(last) === JSON.stringify(base) ? first : last;
}

// ---- export, and closing ----

/** The documents that were changed and not exported since. @param {Keeping} keeping */
function unexported(keeping) {
  return [...keeping.entries].filter(([, one]) => one.exported === null).map(([name]) => name);
}

/** All work, or that on some documents, was exported just now. Work that was imported from an
 * export is safe in a file, too. @param {Keeping} keeping @param {Iterable<string>} [documents] */
function markExported(keeping, documents) {
  const now = new Date().toISOString();
  for (const document of documents ?? [...keeping.entries.keys()]) {
    const entry = keeping.entries.get(document);
    if (!entry || entry.exported !== null) continue;
    keeping.entries.set(document, { ...entry, exported: now });
    tryToWrite(keeping, document);
  }
  keeping.told(keeping);
}

/** Ask before the page is closed while anything is not exported.
 * @param {() => Keeping|null} current the keeping of the page, if it has one yet */
function warnOnClosing(current) {
  window.addEventListener("beforeunload", (event) => {
    const keeping = current();
    if (!keeping || !unexported(keeping).length) return;
    event.preventDefault();
    event.returnValue = true; // for browsers that do not know preventDefault here
  });
}

// ---- small things about a page: who works on it, what was chosen ----

/** @param {string} page @param {string} name @param {"localStorage"|"sessionStorage"} [kind]
 * @returns {string|null} */
function recalled(page, name, kind) {
  try {
    return usableStorage(kind)?.getItem(storageKey(page, "", "setting", name)) ?? null;
  } catch {
    return null;
  }
}

/** Remember a choice for the next time, if that is possible. @param {string} page
 * @param {string} name @param {string} value @param {"localStorage"|"sessionStorage"} [kind] */
function remember(page, name, value, kind) {
  try {
    usableStorage(kind)?.setItem(storageKey(page, "", "setting", name), value);
  } catch {
    // not worth a word: the page asks again
  }
}

/** Who has work on a page in this browser. @param {string} page @returns {string[]} */
function codersKept(page) {
  const store = usableStorage();
  const start = storageKey(page, "");
  const found = new Set();
  for (let i = 0; store && i < store.length; i += 1) {
    const key = store.key(i) ?? "";
    const [coder, word] = key.startsWith(start) ? key.slice(start.length).split(":") : ["", ""];
    if (coder && word === "work") found.add(decodeURIComponent(coder));
  }
  return [...found].sort();
}

/** The work of the coder on some documents that this browser has kept for another page: of the page
 * that was saved last, if there are several. @param {Keeping} keeping @param {string[]} documents
 * @returns {{title: string, saved: string, entries: Map<string, Entry>}|null} */
function workElsewhere(keeping, documents) {
  const ends = new Map(documents.map((one) => [storageKey(keeping.coder, "work", one).slice("segscore".length), one]));
  /** @type {Map<string, {title: string, saved: string, entries: Map<string, Entry>}>} */
  const pages = new Map();
  for (let i = 0; keeping.store && i < keeping.store.length; i += 1) {
    const key = keeping.store.key(i) ?? "";
    const page = key.split(":")[1] ?? "";
    const document = ends.get(key.slice(`segscore:${page}`.length));
    const entry = document === undefined || page === encodeURIComponent(keeping.page) ? null
      : entryFrom(keeping.store.getItem(key));
    if (document === undefined || !entry) continue;
    const held = pages.get(page) ?? { title: recalled(decodeURIComponent(page), "title") ?? "another page", saved: "", entries: new Map() };
    held.entries.set(document, entry);
    if (entry.saved > held.saved) held.saved = entry.saved;
    pages.set(page, held);
  }
  return [...pages.values()].reduce((last, one) => (last && last.saved > one.saved ? last : one),
    /** @type {{title: string, saved: string, entries: Map<string, Entry>}|null} */ (null));
}

// ---- in words ----

/** How things stand: a few words for the line that is always visible, and what has gone wrong, if
 * anything has. @param {Keeping} keeping @returns {{short: string, wrong: string|null}} */
function keepingWords({ trouble, entries }) {
  if (trouble) {
    const why = trouble === "full" ? "The storage of this browser is full."
      : "This browser does not let the page save anything (a private window, or a setting).";
    return { short: "not saved", wrong: `${why} Your work is kept in this window only. Export it before you close the page.` };
  }
  const last = [...entries.values()].map((one) => one.saved).sort().at(-1);
  return { short: last ? `saved ${savedWhen(last)}` : "nothing to save yet", wrong: null };
}

/** 12:03 of today, or the day with it. @param {string} time */
function savedWhen(time) {
  const at = new Date(time);
  const clock = [at.getHours(), at.getMinutes()].map((one) => `${one}`.padStart(2, "0")).join(":");
  const day = at.toLocaleDateString("en", { day: "numeric", month: "short" });
  return at.toDateString() === new Date().toDateString() ? clock : `${day}, ${clock}`;
}

// ---- What a person sees of keeping: "saved 12:03", and what has gone wrong ----

/** Draw how things stand: a line, and a box for what has gone wrong, which screen readers tell.
 * @param {Keeping} keeping @param {(document: string) => string} nameOf what people call a document */
function drawKeeping(keeping, nameOf) {
  const { short, wrong } = keepingWords(keeping);
  need("saved").textContent = unexported(keeping).length ? `${short} · not exported yet` : short;
  need("saved").classList.toggle("wrong", Boolean(wrong));
  const said = [...(wrong ? [el("p", { class: "missing" }, wrong)] : []),
    ...(keeping.damaged.size ? [damageNotice(keeping, nameOf)] : [])];
  const same = need("notices").textContent === said.map((one) => one.textContent).join("");
  if (!same) need("notices").replaceChildren(...said); // not told again at each change
}

/** What is stored and cannot be read. @param {Keeping} keeping @param {(document: string) => string} nameOf */
function damageNotice(keeping, nameOf) {
  const [[document, key], ...others] = keeping.damaged;
  return el("p", { class: "missing" }, "What was saved here of ", el("b", {}, named(nameOf(document), 60)),
    others.length ? ` and ${counted(others.length, "other document")}` : "", " cannot be read, or not all of it. What can be read is shown. ",
    key === null ? "Nothing is overwritten: what you do there is kept in this window only. Export it before you close the page."
      : "All of it was kept in the storage of this browser under the name ", ...(key === null ? [] : [el("code", {}, key), "."]),
    " If you have an export, import it.");
}

// ---- Files that a person chooses, read with errors in words ----

const LARGEST_IMPORT = 200_000_000; // bytes

/** Let the person choose a file. @param {(file: File) => void} chosen */
function askForFile(chosen) {
  const box = el("input", { type: "file", accept: ".jsonl", change: () => {
    const file = box.files?.[0];
    if (file) chosen(file);
  } });
  box.click();
}

/** The text of a file. @param {File} file @returns {Promise<string>} fails with words for people */
async function textOfFile(file) {
  const called = `“${file.name}”`;
  if (file.size > LARGEST_IMPORT) {
    throw new Error(`${called} has ${Math.round(file.size / 1e6)} MB: expected an export of this page.`);
  }
  let bytes;
  try {
    bytes = await file.arrayBuffer();
  } catch (error) {
    throw new Error(`${called} cannot be read (${error}). Was it moved or changed?`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes); // drops a byte order mark
  } catch {
    throw new Error(`${called} is not text in UTF-8: expected an export of this page.`);
  }
}

/** The objects of a file in JSON Lines. @param {string} text @param {string} called the file
 * @returns {Record<string, any>[]} fails with words that name the line */
function rowsOfLines(text, called) {
  const rows = text.split("\n").flatMap((line, i) => {
    try {
      const row = line.trim() ? [JSON.parse(line)] : [];
      if (row.every((one) => one?.constructor === Object)) return row;
    } catch { /* told below */ }
    throw new Error(`Line ${i + 1} of “${called}” is not a JSON object: expected the JSON Lines that this page exports.`);
  });
  if (!rows.length) throw new Error(`“${called}” is empty: expected an export of this page.`);
  return rows;
}

// ---- The question before an import replaces work: what is here, and what is in the file ----

/** @typedef {{name: string, here: string, file: string}} ReplacedWork   (what there is, in words) */

/** Ask whether to replace work. The safe answer has the focus; Escape is the same.
 * @param {ReplacedWork[]} lost documents whose work would be replaced
 * @param {number} others how many documents of the file replace nothing
 * @param {{all: () => void, others: () => void}} take what to do then */
function askToReplace(lost, others, take) {
  const cells = lost.map((one) => el("tr", {}, el("th", { scope: "row" }, named(one.name, 40)),
    el("td", {}, one.here), el("td", {}, one.file)));
  const heads = ["document", "here", "in the file"].map((one) => el("th", { scope: "col" }, one));
  const table = el("div", { class: "scroll replaced", tabindex: "0", role: "region", "aria-label": "What would be replaced" },
    el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...cells)));
  askWhich("Replace what is here?", [
    `The file has other work on ${counted(lost.length, "document")} than there is here. You can undo the import until you close the page.`, table],
  [{ words: "Replace", act: take.all },
    ...(others ? [{ words: `Import only the ${others === 1 ? "other" : `${others} others`}`, act: take.others }] : [])], "Cancel");
}
