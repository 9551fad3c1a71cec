// Nothing is lost: the work on each document is saved in the browser at every change.
//
// A page makes one `Keeping` for its coder (`startKeeping`), reads what was kept (`keptWork`), and
// calls `keepWork` after every change. Work is any plain object that JSON can hold. Each document
// has an entry of its own, so that a change writes only that one. Whatever goes wrong is told at
// once, in words (`keeping.told`), and the page works on in memory: export still works.
//
// Two tabs of one page and coder: each knows the entry that it read or wrote last. If the stored
// one is another, somebody else has saved in between, and nothing is written before the person
// has chosen (`takeOther`, `keepMine`). Tabs notice each other by events of the storage alone:
// where there is no storage, no tab can overwrite anything. No tab removes an entry: whoever does is
// another program (all files on a disk may share one storage) or a setting of the browser, so that
// what is missing, or no entry any more, is written again.

import { isTyping } from "./form_controls.js";

/**
 * @typedef {{tab: string, saved: string, exported: string|null, work: any}} Entry
 *   (saved, exported: ISO times; exported is null if the work has changed since, or never was)
 * @typedef {"full"|"unavailable"|null} Trouble   (of the storage)
 * @typedef {{
 *   page: string, coder: string, tab: string, store: Storage|null,
 *   entries: Map<string, Entry>, raw: Map<string, string|null>, conflicts: Map<string, Entry>,
 *   changed: Set<string>, damaged: Map<string, string|null>,
 *   trouble: Trouble, savedAt: Date|null, otherTabs: boolean,
 *   told: (keeping: Keeping) => void, follow: Follow|null, stop: () => void}} Keeping
 *   (entries: what this tab holds, by document; raw: what it last knew to be stored, null: nothing;
 *   conflicts: documents that another tab has saved otherwise, with what it saved;
 *   changed: documents that this tab has saved; damaged: documents of which not all that is
 *   stored can be read, with the key of the copy that was made of it, null: none could be made;
 *   told: called whenever anything that the person should see has changed; follow: draws what
 *   another tab has saved of a document that this tab has not changed; stop: hear no more)
 * @typedef {(document: string, work: any) => void} Follow
 */

const ANSWER_TIME = 1000; // milliseconds that another tab has to say that it is there

/** The storage of the browser, if it may be used: to ask for it can throw, and so can writing.
 * @returns {Storage|null} */
export function usableStorage() {
  try {
    const store = window.localStorage;
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
 * @param {Follow|null} [follow] without it, the person is asked about all that another tab saves
 * @returns {Keeping}
 */
export function startKeeping(page, coder, told, follow = null) {
  const store = usableStorage();
  /** @type {Keeping} */
  const keeping = { page, coder, tab: newTabName(), store, entries: new Map(), raw: new Map(),
    conflicts: new Map(), changed: new Set(), damaged: new Map(), trouble: store ? null : "unavailable", savedAt: null, otherTabs: false,
    told, follow, stop: () => {} };
  /** @param {StorageEvent} event */
  const heard = (event) => hearOthers(keeping, event);
  window.addEventListener("storage", heard);
  const returns = () => askOthers(keeping); // whoever was there may be closed now
  window.addEventListener("focus", returns);
  keeping.stop = () => {
    window.removeEventListener("storage", heard);
    window.removeEventListener("focus", returns);
  };
  greet(keeping, "hello");
  return keeping;
}

function newTabName() {
  return [...crypto.getRandomValues(new Uint32Array(2))].map((one) => one.toString(36)).join("");
}

/**
 * The work on a document as it was kept, or null.
 * @param {Keeping} keeping @param {string} document an id that stays: its name and hash
 * @param {(work: any) => boolean} [whole] whether the page can read all of it
 * @returns {any}
 */
export function keptWork(keeping, document, whole = () => true) {
  const raw = storedText(keeping, document);
  keeping.raw.set(document, raw);
  const entry = entryFrom(raw);
  if (raw !== null && !(entry && whole(entry.work))) keeping.damaged.set(document, copyOf(keeping, document, raw));
  if (entry) keeping.entries.set(document, entry);
  else keeping.entries.delete(document);
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

/**
 * Save the work on a document. It is held in memory in any case; whether it was written, and if
 * not why, is told. A document of which another tab has saved something else is not written.
 * @param {Keeping} keeping @param {string} document @param {any} work
 * @returns {boolean} whether it was written
 */
export function keepWork(keeping, document, work) {
  keeping.changed.add(document);
  const entry = { tab: keeping.tab, saved: new Date().toISOString(), exported: null, work };
  return writeEntry(keeping, document, entry);
}

/** @param {Keeping} keeping @param {string} document @param {Entry} entry */
function writeEntry(keeping, document, entry) {
  keeping.entries.set(document, entry);
  const written = tryToWrite(keeping, document, JSON.stringify(entry));
  if (written) keeping.savedAt = new Date();
  keeping.told(keeping);
  return written;
}

/** @param {Keeping} keeping @param {string} document @param {string} raw */
function tryToWrite(keeping, document, raw) {
  if (!keeping.store || keeping.conflicts.has(document)) return false;
  const now = storedText(keeping, document);
  if (keeping.damaged.get(document) === null) { // not copied yet: it must not be lost
    const key = copyOf(keeping, document, now ?? "");
    if (key === null) {
      keeping.trouble = "full";
      return false;
    }
    keeping.damaged.set(document, key);
  }
  if (now !== (keeping.raw.get(document) ?? null)) {
    const other = entryFrom(now);
    if (other && !sameWork(other, entryFrom(raw))) {
      keeping.conflicts.set(document, other);
      keeping.otherTabs = true;
      return false;
    }
  }
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

/** @param {Entry|null|undefined} one @param {Entry|null|undefined} other */
function sameWork(one, other) {
  const plain = (/** @type {any} */ work) => JSON.stringify(work, (key, value) => (key === "seconds" ? undefined : value));
  return plain(one?.work) === plain(other?.work); // time alone is no other work
}

// ---- other tabs ----

/** A word to other tabs: they hear of the change of an entry, and nobody keeps it.
 * @param {Keeping} keeping @param {"hello"|"here"} word */
function greet(keeping, word) {
  const key = storageKey(keeping.page, keeping.coder, word);
  try {
    keeping.store?.setItem(key, keeping.tab);
    keeping.store?.removeItem(key);
  } catch {
    // a full storage is told when work is to be saved
  }
}

/** Whether other tabs are still there: they answer at once. @param {Keeping} keeping */
function askOthers(keeping) {
  if (!keeping.otherTabs) return;
  keeping.otherTabs = false;
  greet(keeping, "hello");
  window.setTimeout(() => keeping.told(keeping), ANSWER_TIME);
}

/** @param {Keeping} keeping @param {StorageEvent} event */
function hearOthers(keeping, event) {
  if (event.key === null) { // somebody has emptied the storage
    for (const document of keeping.raw.keys()) noticeOther(keeping, document, null);
    return;
  }
  const start = storageKey(keeping.page, keeping.coder, "");
  if (!event.key.startsWith(start)) return;
  const [word, document] = event.key.slice(start.length).split(":").map(decodeURIComponent);
  if (word === "work") noticeOther(keeping, document, event.newValue);
  else if (event.newValue !== null) {
    keeping.otherTabs = true;
    if (word === "hello") greet(keeping, "here");
    keeping.told(keeping);
  }
}

/** What another tab has saved: fine if it is what we have, and otherwise the person's to choose.
 * @param {Keeping} keeping @param {string} document @param {string|null} raw */
function noticeOther(keeping, document, raw) {
  const [other, mine] = [entryFrom(raw), keeping.entries.get(document)];
  if (!other) {
    keeping.conflicts.delete(document); // what one could have loaded is gone
    if (mine) tryToWrite(keeping, document, JSON.stringify(mine));
  } else {
    keeping.otherTabs = true;
    if (sameWork(other, mine)) {
      keeping.raw.set(document, raw);
      keeping.conflicts.delete(document);
      keeping.entries.set(document, other);
    } else if (keeping.follow && !keeping.changed.has(document)) {
      keeping.raw.set(document, raw);
      keeping.entries.set(document, other);
      keeping.follow(document, other.work);
    } else {
      keeping.conflicts.set(document, other);
    }
  }
  keeping.told(keeping);
}

/**
 * Take what another tab has saved of a document in place of one's own.
 * @param {Keeping} keeping @param {string} document @returns {any} the work, or null
 */
export function takeOther(keeping, document) {
  keeping.conflicts.delete(document);
  const work = keptWork(keeping, document);
  keeping.told(keeping);
  return work;
}

/** Keep one's own work on a document, and overwrite what another tab has saved. Where one has none,
 * there is nothing to keep, and nothing happens.
 * @param {Keeping} keeping @param {string} document @returns {boolean} whether it was written */
export function keepMine(keeping, document) {
  const mine = keeping.entries.get(document);
  if (!mine) return false;
  keeping.conflicts.delete(document);
  keeping.raw.set(document, storedText(keeping, document));
  return writeEntry(keeping, document, { ...mine, tab: keeping.tab });
}

// ---- export, and closing ----

/** The documents that were changed and not exported since. @param {Keeping} keeping */
export function unexported(keeping) {
  return [...keeping.entries].filter(([, one]) => one.exported === null).map(([name]) => name);
}

/** When the last export of what is held was, or null. @param {Keeping} keeping */
export function lastExport(keeping) {
  return [...keeping.entries.values()].reduce(
    (last, one) => (one.exported && (!last || one.exported > last) ? one.exported : last),
    /** @type {string|null} */ (null));
}

/** All work, or that on some documents, was exported just now. Work that was imported from an
 * export is safe in a file, too. @param {Keeping} keeping @param {Iterable<string>} [documents] */
export function markExported(keeping, documents) {
  const now = new Date().toISOString();
  for (const document of documents ?? [...keeping.entries.keys()]) {
    const entry = keeping.entries.get(document);
    if (!entry || entry.exported !== null) continue;
    const marked = { ...entry, exported: now };
    keeping.entries.set(document, marked);
    tryToWrite(keeping, document, JSON.stringify(marked));
  }
  keeping.told(keeping);
}

/** Ask before the page is closed while anything is not exported, or typed and not saved.
 * @param {() => Keeping|null} current the keeping of the page, if it has one yet */
export function warnOnClosing(current) {
  window.addEventListener("beforeunload", (event) => {
    const keeping = current();
    if (!isTyping() && !(keeping && unexported(keeping).length)) return;
    event.preventDefault();
    event.returnValue = true; // for browsers that do not know preventDefault here
  });
}

// ---- small things about a page: who works on it, what was chosen ----

/** @param {string} page @param {string} name @returns {string|null} */
export function recalled(page, name) {
  try {
    return usableStorage()?.getItem(storageKey(page, "", "setting", name)) ?? null;
  } catch {
    return null;
  }
}

/** Remember a choice for the next time, if that is possible.
 * @param {string} page @param {string} name @param {string} value */
export function remember(page, name, value) {
  try {
    usableStorage()?.setItem(storageKey(page, "", "setting", name), value);
  } catch {
    // not worth a word: the page asks again
  }
}

/** Who has work on a page in this browser. @param {string} page @returns {string[]} */
export function codersKept(page) {
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

/** What this browser has kept of some documents for other pages of the same coder: of each the last.
 * @param {Keeping} keeping @param {string[]} documents @returns {Map<string, Entry>} */
export function earlierEntries(keeping, documents) {
  const ends = new Map(documents.map((one) => [storageKey(keeping.coder, "work", one).slice("segscore".length), one]));
  /** @type {Map<string, Entry>} */
  const found = new Map();
  for (let i = 0; keeping.store && i < keeping.store.length; i += 1) {
    const key = keeping.store.key(i) ?? "";
    const [, page] = key.split(":");
    const document = ends.get(key.slice(`segscore:${page}`.length));
    if (document === undefined || page === encodeURIComponent(keeping.page)) continue;
    const entry = entryFrom(keeping.store.getItem(key));
    if (entry && entry.saved > (found.get(document)?.saved ?? "")) found.set(document, entry);
  }
  return found;
}

// ---- in words ----

/** 12:03 @param {Date|string} time */
export function clock(time) {
  const at = new Date(time);
  return [at.getHours(), at.getMinutes()].map((one) => `${one}`.padStart(2, "0")).join(":");
}

/** How things stand: a few words for the line that is always visible, and what has gone wrong, if
 * anything has. @param {Keeping} keeping @returns {{short: string, wrong: string|null}} */
export function keepingWords(keeping) {
  const but = "Your work is kept in this window only. Export it before you close the page.";
  if (keeping.trouble === "full") {
    return { short: "not saved", wrong: `The storage of this browser is full. ${but}` };
  }
  if (keeping.trouble === "unavailable") {
    return { short: "not saved",
      wrong: `This browser does not let the page save anything (a private window, or a setting). ${but}` };
  }
  if (keeping.conflicts.size) return { short: "not all is saved", wrong: null };
  if (keeping.savedAt) return { short: `saved ${clock(keeping.savedAt)}`, wrong: null };
  const times = [...keeping.entries.values()].map((one) => one.saved).sort();
  const last = times.at(-1);
  return { short: last ? `saved ${savedWhen(last)}` : "nothing to save yet", wrong: null };
}

/** 12:03 of today, or the day with it. @param {string} time */
export function savedWhen(time) {
  const today = new Date(time).toDateString() === new Date().toDateString();
  const day = new Date(time).toLocaleDateString("en", { day: "numeric", month: "short" });
  return today ? clock(time) : `${day}, ${clock(time)}`;
}
