// What every page uses: elements made of texts, forms, the data, files to save, keys, units and speakers.

// ---- Elements made of names and texts, which are set as text, never as markup; and how names and numbers look ----

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with attributes and children. Children that are strings become text, null is left out;
 * an attribute that is a function listens to the event of its name.
 * @template {keyof HTMLElementTagNameMap} T @param {T} tag
 * @param {Record<string, string|number|boolean|null|((event: any) => void)>} [attributes]
 * @param {...(Node|string|null)} children @returns {HTMLElementTagNameMap[T]}
 */
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : `${value}`);
  }
  made.append(...children.filter((one) => one !== null));
  return made;
}

/** @param {Node|string|(Node|string)[]} words @param {(event: MouseEvent) => void} act
 * @param {Record<string, string|number|boolean|null>} [attributes] */
const button = (words, act, attributes = {}) =>
  el("button", { type: "button", click: act, ...attributes }, ...[words].flat());

/**
 * @param {string} tag @param {Record<string, string|number>} attributes
 * @param {...Node} children @returns {SVGElement}
 */
function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, `${value}`);
  made.append(...children);
  return made;
}

/** @param {string} id @returns {HTMLElement|null} */
const byId = (id) => document.getElementById(id);

/** An element that the page has. @param {string} id */
const need = (id) => /** @type {HTMLElement} */ (byId(id));

/** A name with control characters spelt out, so that none can hide or turn what stands around it.
 * @param {string|number} name */
function visible(name) {
  return `${name}`.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (sign) =>
    sign === "\u200d" ? sign : `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}

/** A part of a text that begins and ends with a whole sign: half of one cannot be shown.
 * @param {string} text @param {number} from @param {number} to */
function wholeSigns(text, from, to) {
  const halved = (/** @type {number} */ i) => i > 0 && i < text.length && /[\udc00-\udfff]/.test(text[i]) &&
    /[\ud800-\udbff]/.test(text[i - 1]);
  return text.slice(halved(from) ? from + 1 : from, halved(to) ? to - 1 : to);
}

/** A name, apart from the direction of the text around it; long ones lose their middle.
 * @param {string|number} name @param {number} [most] */
function named(name, most = 60) {
  let text = `${name}`;
  if (text.length > most) {
    const tail = Math.floor(most / 3);
    text = `${wholeSigns(text, 0, most - tail - 1)}…${wholeSigns(text, text.length - tail, text.length)}`;
  }
  return el("bdi", {}, visible(text));
}

/** @param {number|null|undefined} value @param {number} [digits] */
function number(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const shown = value.toFixed(digits);
  return Number(shown) === 0 ? shown.replace("-", "") : shown.replace("-", "−");
}

/** @param {number} n @param {string} what */
const counted = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;

/** @param {number} n */
const boundaries = (n) => `${n.toLocaleString("en")} ${n === 1 ? "boundary" : "boundaries"}`;

/** Words for those who do not see. @param {string} words */
const unseen = (words) => el("span", { class: "unseen" }, words);

/** Seconds as 1:02:03 or 2:03; parts of a second have two digits. @param {number} seconds */
function timecode(seconds) {
  const all = Math.round(100 * seconds) / 100;
  const [h, m, s] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const [whole, part] = (Number.isInteger(s) ? `${s}` : s.toFixed(2)).split(".");
  const parts = [...(h ? [`${h}`, `${m}`.padStart(2, "0")] : [`${m}`]), whole.padStart(2, "0")];
  return parts.join(":") + (part ? `.${part}` : "");
}

// ---- Fields of forms: a label above its control, and menus ----

/** @param {string} label @param {HTMLElement} control */
function field(label, control) {
  return el("label", { class: "field" }, el("span", {}, label), control);
}

/** @param {string} id @param {[string, string][]} options values and labels @param {string} chosen
 * @param {(value: string) => void} act */
function menu(id, options, chosen, act) {
  const made = el("select", { id, change: () => act(made.value) });
  fillMenu(made, options, chosen);
  return made;
}

/** @param {HTMLSelectElement} box @param {[string, string][]} options @param {string} chosen */
function fillMenu(box, options, chosen) {
  box.replaceChildren(...options.map(([value, label]) => {
    const text = visible(label);
    return el("option", { value }, text.length > 60 ? `${text.slice(0, 59)}…` : text);
  }));
  box.value = chosen;
}

const LONGEST_COMMENT = 100_000; // characters, as corpus/annotation.py reads them

/** What was typed without halves of signs, which a field that is full cuts off, and which no file
 * can hold. @param {string} typed */
const withoutHalves = (typed) => typed.replace(/\p{Cs}/gu, "");

// ---- Dialogs ----

/** A dialog that stays until it is answered. @param {string} id @param {string|Node} heading
 * @param {(Node|string|null)[]} inside @param {{must?: boolean, answered?: (box: HTMLDialogElement) => void,
 *   left?: () => void}} [how] (must: it cannot be left without an answer; left: it was closed without
 *   an answer, as Escape does) @returns {HTMLDialogElement} */
function openDialog(id, heading, inside, { must = false, answered = closeAnswered, left } = {}) {
  const back = document.activeElement;
  const box = el("dialog", { id, "aria-labelledby": `${id}-heading`,
    cancel: (event) => { // Escape; what comes of it is there before the next key
      event.preventDefault();
      if (must) return;
      closeAnswered(box);
      left?.();
    },
    close: () => {
      const open = !box.hasAttribute("data-answered"); // Escape twice closes in spite of everything
      if (must && open) {
        box.showModal();
        return;
      }
      box.remove();
      const there = back?.isConnected ? back : document.querySelector(".here"); // drawn anew meanwhile
      /** @type {HTMLElement|null} */ (there)?.focus({ preventScroll: true });
      if (open) left?.();
    } },
  el("form", { submit: (event) => { event.preventDefault(); answered(box); } },
    el("h2", { id: `${id}-heading` }, heading), ...inside));
  box.addEventListener("click", (event) => { // the second of two, of which the first has opened it
    if (event.detail > 1) { event.preventDefault(); event.stopPropagation(); }
  }, true);
  document.body.append(box);
  box.showModal();
  return box;
}

/** @param {HTMLDialogElement} box */
function closeAnswered(box) {
  box.setAttribute("data-answered", "");
  box.close();
}

const okButton = (/** @type {string} */ words) => el("button", { type: "submit", class: "primary" }, words);

// ---- The data that a page holds ----

/** The data: JSON, or JSON compressed by gzip in base64. @returns {Promise<any>} */
async function loadData() {
  const held = JSON.parse(byId("data")?.textContent ?? "{}");
  if (typeof held.gzip !== "string") return held;
  const text = atob(held.gzip);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// ---- Files that a page offers, written in the browser ----

/** Offer a file. @param {string} name @param {string} text @param {string} type */
function offerFile(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: url, download: name }).click();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name for a file on every system: what is no letter, digit, dot or dash becomes `_`.
 * @param {string} name without its suffix @param {string} suffix with its dot */
function safeFileName(name, suffix) {
  const kept = name.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}.-]+/gu, "_").replace(/^[.]+|[.]+$/g, "");
  const short = [...kept].slice(0, 80).join("");
  const device = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
  return `${short.replace(device, "$1_") || "_"}${suffix}`;
}

/** Objects as lines of JSON. @param {object[]} rows */
function jsonLines(rows) {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** A table as CSV: a row of names, then the others. Where a spreadsheet would take a text for a
 * formula, an apostrophe stands before it, as in the tables that Python writes
 * (basics/spreadsheet_cells.py). @param {(string|number|boolean|null)[][]} rows */
function csvOf(rows) {
  return rows.map((row) => `${row.map(csvCell).join(",")}\n`).join("");
}

/** @param {string|number|boolean|null} value */
function csvCell(value) {
  if (value === null) return "";
  const formula = typeof value === "string" && /^'*[=+\-@\t\r]/.test(value) &&
    !/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(value);
  const text = formula ? `'${value}` : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text;
}

// ---- The keys of a page: one table, by which keys act and which `?` shows ----

/**
 * @typedef {[keys: string[], words: string, act: (event: KeyboardEvent) => void, shown?: string[]]} KeyRow
 *   (keys: as KeyboardEvent.key has them, with "Ctrl+" (⌘ on a Mac) and "Shift+" before them, as
 *   in "Ctrl+Shift+z" or "Shift+1"; words: what they do; shown: what the overlay calls them, if otherwise)
 */

/** What is done once by a double click, and by a key that is held: else it would be undone at once.
 * @param {() => void} act */
const once = (act) => (/** @type {MouseEvent|KeyboardEvent} */ event) => {
  if (event.detail < 2 && !(event instanceof KeyboardEvent && event.repeat)) act();
};

/** Let keys act, and `?` show them. Nothing acts while one types in a field or a dialog is open;
 * Space and Enter stay with a button or a link that has the focus.
 * @param {KeyRow[]} table */
function actOnKeys(table) {
  /** @type {KeyRow[]} */
  const rows = [...table, [["?"], "show or hide this list", () => showKeys(rows)]];
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.isComposing || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(TYPED_INTO)) return;
    const open = document.querySelector("dialog[open]");
    if (open) {
      if (event.key === "?" && open instanceof HTMLDialogElement && open.id === "keys") closeAnswered(open);
      return;
    }
    const row = pressedKeys(event).map((key) => rows.find(([keys]) => keys.includes(key))).find(Boolean);
    if (!row || ([" ", "Enter"].includes(event.key) && target?.closest("button, a, summary"))) return;
    event.preventDefault();
    row[2](event);
  });
}

const TYPED_INTO = "input:not([type=checkbox], [type=radio], [type=range], [type=button]), select, textarea, [contenteditable=true]";

/** What was pressed, as the table may call it: the sign, or where another script or row of signs is
 * on the keyboard (Cyrillic, AZERTY), the letter or digit of the key.
 * @param {KeyboardEvent} event @returns {string[]} */
function pressedKeys(event) {
  const control = event.ctrlKey || event.metaKey;
  const before = `${control ? "Ctrl+" : ""}${event.shiftKey && control ? "Shift+" : ""}`;
  const named = event.key.length > 1 || event.shiftKey && !control ? event.key : event.key.toLowerCase();
  const found = [`${before}${named}`];
  if (event.key.length > 1 && event.shiftKey && !control) found.push(`Shift+${event.key}`);
  const [, letter, digit] = /^(?:Key([A-Z])|(?:Digit|Numpad)([0-9]))$/.exec(event.code) ?? [];
  if (letter && !/^[a-z]$/i.test(event.key) && !(event.shiftKey && !control)) {
    found.push(`${before}${letter.toLowerCase()}`);
  }
  if (digit && !/^[0-9]$/.test(event.key) && !control) {
    if (!event.shiftKey) found.push(digit);
    else if (event.code.startsWith("Digit")) found.push(`Shift+${digit}`); // whatever sign is above it
  }
  return found;
}

/** Show the table. @param {KeyRow[]} table */
function showKeys(table) {
  const rows = table.map(([keys, words, , shown = keys]) => el("tr", {},
    el("th", { scope: "row" }, ...shown.flatMap((key) => [el("kbd", {}, key), " "])), el("td", {}, words)));
  openDialog("keys", "Keys", [el("table", {}, el("tbody", {}, ...rows)), okButton("Close")]);
}

// ---- The text of a unit, or the numbers of units whose text is not known ----

const LONGEST_UNIT = 4000; // characters that are shown at once

/** The text of a unit, in the direction of its first letter; a very long one is cut until one asks
 * for all. @param {string} text @returns {(Node|string)[]} */
function unitWords(text) {
  const words = el("span", { class: "words", dir: "auto" }, wholeSigns(text, 0, LONGEST_UNIT));
  if (text.length <= LONGEST_UNIT) return [words];
  const all = button(`show all ${text.length.toLocaleString("en")} characters`, () => {
    words.textContent = text;
    all.remove();
  });
  return [words, "… ", all];
}

/** @typedef {{units: number, text?: string[], speakers?: (string|null)[], starts?: (number|null)[]}} Text
 *   (without texts, units are numbers) */

const UNITS_TOGETHER = 100; // a browser lays out only the parts that are in view

/** A text, unit by unit, and what stands at positions between them. Without texts, the units between
 * positions are one line. @param {Text} doc @param {number[]} positions ascending
 * @param {(p: number) => HTMLElement} between */
function textView(doc, positions, between) {
  const ends = doc.text ? doc.text.map((_, i) => i + 1) : [...positions, doc.units];
  const marked = new Set(positions);
  /** @type {HTMLElement[]} */
  const parts = [];
  for (let from = 0; from < ends.length; from += UNITS_TOGETHER) {
    parts.push(el("div", { class: "part" }, ...ends.slice(from, from + UNITS_TOGETHER).flatMap((end, i) => [
      doc.text ? unitRow(doc, doc.text[end - 1], end) : runRow((ends[from + i - 1] ?? 0) + 1, end),
      ...(marked.has(end) ? [between(end)] : [])])));
  }
  return el("div", { class: `text${doc.text ? "" : " runs"}`, dir: isRightToLeft(doc.text ?? []) ? "rtl" : "ltr" }, ...parts);
}

/** A unit, with who says it and when. @param {Text} doc @param {string} text @param {number} n from 1 */
function unitRow(doc, text, n) {
  return el("div", { class: "unit" }, el("span", { class: "unit-number" }, WITH_COMMAS.format(n)),
    el("div", { class: "spoken" }, ...speechLine(doc.speakers?.[n - 1], doc.starts?.[n - 1]), ...unitWords(text)));
}

const WITH_COMMAS = new Intl.NumberFormat("en"); // toLocaleString makes one for each number

/** Units without a text. @param {number} from @param {number} to */
function runRow(from, to) {
  const [first, last] = [from, to].map(WITH_COMMAS.format);
  return el("p", { class: "run" }, from === to ? `unit ${first}` : `units ${first} – ${last}`);
}

// ---- Who speaks and when, and in which direction a text runs ----

/** The line above what is said: the speaker and the time, if they are known.
 * @param {string|null|undefined} who @param {number|null|undefined} when seconds @returns {HTMLElement[]} */
function speechLine(who, when) {
  const time = typeof when === "number" ? el("span", { class: "time" }, timecode(Math.floor(when))) : null;
  return who || time ? [el("span", { class: "speech" }, who ? el("b", {}, el("bdi", {}, visible(who))) : null, time)] : [];
}

/** Whether most of a text runs from right to left. @param {string[]} units */
function isRightToLeft(units) {
  const text = units.slice(0, 50).join(" ").slice(0, 5000);
  const right = text.match(/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu);
  const letters = text.match(/\p{L}/gu);
  return (right?.length ?? 0) > (letters?.length ?? 0) / 2;
}
