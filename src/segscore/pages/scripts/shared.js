// What every page uses: elements made of texts, forms, the data, files to save, keys, units and speakers.

// ---- Elements made of names and texts, which are set as text, never as markup; and how names and numbers look ----

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with attributes and children; children that are strings become text.
 * @param {string} tag @param {Record<string, string|number|boolean|null>} [attributes]
 * @param {...(Node|string)} children @returns {HTMLElement}
 */
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : `${value}`);
  }
  made.append(...children);
  return made;
}

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

/** @param {[string, string][]} options values and labels @param {string} chosen
 * @param {(value: string) => void} act */
function menu(options, chosen, act) {
  const made = /** @type {HTMLSelectElement} */ (el("select"));
  fillMenu(made, options, chosen);
  made.addEventListener("change", () => act(made.value));
  return made;
}

/** @param {HTMLSelectElement} box @param {[string, string][]} options @param {string} chosen */
function fillMenu(box, options, chosen) {
  box.replaceChildren(...options.map(([value, label]) => {
    const text = visible(label);
    const option = el("option", {}, text.length > 60 ? `${text.slice(0, 59)}…` : text);
    /** @type {HTMLOptionElement} */ (option).value = value;
    return option;
  }));
  box.value = chosen;
}

/** A slider below its words, which say its value. @param {string} id @param {number} least
 * @param {number} most @param {(value: number) => void} act */
function slider(id, least, most, act) {
  const made = /** @type {HTMLInputElement} */ (el("input", { type: "range", min: least, max: most,
    step: "1", id }));
  made.addEventListener("input", () => act(Number(made.value)));
  return el("label", { class: "field" }, el("span", { id: `${id}-words` }), made);
}

const LONGEST_COMMENT = 100_000; // characters, as corpus/annotation.py reads them

/** What was typed without halves of signs, which a field that is full cuts off, and which no file
 * can hold. @param {string} typed */
const withoutHalves = (typed) => typed.replace(/\p{Cs}/gu, "");

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
  const link = /** @type {HTMLAnchorElement} */ (el("a", { href: url, download: name }));
  link.click();
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
 * @typedef {{keys: string[], shown: string[], words: string, act: (event: KeyboardEvent) => void}}
 *   KeyRow
 *   (keys: as KeyboardEvent.key has them, with "Ctrl+" (⌘ on a Mac) and "Shift+" before them, as
 *   in "Ctrl+Shift+z" or "Shift+1"; shown: what the overlay calls them; words: what they do)
 */

/** A row of the table. @param {string[]} keys @param {string} words
 * @param {(event: KeyboardEvent) => void} act @param {string[]} [shown] by default the keys
 * @returns {KeyRow} */
function keyRow(keys, words, act, shown = keys) {
  return { keys, shown, words, act };
}

/** What is done once by a double click, and by a key that is held: else it would be undone at once.
 * @param {() => void} act */
const once = (act) => (/** @type {MouseEvent|KeyboardEvent} */ event) => {
  if (event.detail < 2 && !(event instanceof KeyboardEvent && event.repeat)) act();
};

/** Let keys act, and `?` show them. Nothing acts while one types in a field or a dialog is open;
 * Space and Enter stay with a button or a link that has the focus.
 * @param {KeyRow[]} table */
function actOnKeys(table) {
  const help = keyRow(["?"], "show or hide this list", () => showKeys([...table, help]));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.isComposing || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : null;
    if (typesInto(target)) return;
    if (document.querySelector("dialog[open]")) {
      if (event.key === "?") closeKeys();
      return;
    }
    const pressed = pressedKeys(event);
    const rows = [...table, help];
    const row = pressed.map((key) => rows.find((one) => one.keys.includes(key))).find(Boolean);
    if (!row) return;
    if ([" ", "Enter"].includes(event.key) && target?.closest("button, a, summary")) return;
    event.preventDefault();
    row.act(event);
  });
}

/** @param {Element|null} target */
function typesInto(target) {
  return Boolean(target?.closest("input:not([type=checkbox]):not([type=radio]):not([type=range]):not([type=button]), " +
    "select, textarea, [contenteditable=true]"));
}

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
  closeKeys();
  const rows = table.map((row) => el("tr", {},
    el("th", { scope: "row" }, ...row.shown.flatMap((key, i) =>
      [...(i ? [" "] : []), el("kbd", {}, key)])),
    el("td", {}, row.words)));
  const shut = el("button", { type: "button", class: "primary" }, "Close");
  const box = /** @type {HTMLDialogElement} */ (el("dialog", { id: "keys", "aria-labelledby": "keys-heading" },
    el("h2", { id: "keys-heading" }, "Keys"),
    el("table", {}, el("tbody", {}, ...rows)), shut));
  shut.addEventListener("click", () => box.close());
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
}

function closeKeys() {
  const box = document.getElementById("keys");
  if (box instanceof HTMLDialogElement) box.close();
  box?.remove();
}

// ---- The text of a unit, or the numbers of units whose text is not known ----

const LONGEST_UNIT = 4000; // characters that are shown at once

/** The text of a unit, in the direction of its first letter; a very long one is cut until one asks
 * for all. @param {string} text @returns {(Node|string)[]} */
function unitWords(text) {
  const words = el("span", { class: "words", dir: "auto" }, wholeSigns(text, 0, LONGEST_UNIT));
  if (text.length <= LONGEST_UNIT) return [words];
  const button = el("button", { type: "button" },
    `show all ${text.length.toLocaleString("en")} characters`);
  button.addEventListener("click", () => {
    words.textContent = text;
    button.remove();
  });
  return [words, "… ", button];
}

/** Units without a text. @param {number} from @param {number} to */
function runElement(from, to) {
  const words = from === to ? `unit ${from.toLocaleString("en")}`
    : `units ${from.toLocaleString("en")} – ${to.toLocaleString("en")}`;
  return el("p", { class: "run" }, words);
}

// ---- Who speaks and when, and in which direction a text runs ----

/** The line above what is said: the speaker and the time, if they are known.
 * @param {string|null|undefined} who @param {number|null|undefined} when seconds @returns {HTMLElement[]} */
function speechLine(who, when) {
  if (!who && typeof when !== "number") return [];
  return [el("span", { class: "speech" },
    ...(who ? [el("b", {}, el("bdi", {}, visible(who)))] : []),
    ...(typeof when === "number" ? [el("span", { class: "time" }, timecode(Math.floor(when)))] : []))];
}

/** Whether most of a text runs from right to left. @param {string[]} units */
function isRightToLeft(units) {
  const text = units.slice(0, 50).join(" ").slice(0, 5000);
  const right = text.match(/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu);
  const letters = text.match(/\p{L}/gu);
  return (right?.length ?? 0) > (letters?.length ?? 0) / 2;
}
