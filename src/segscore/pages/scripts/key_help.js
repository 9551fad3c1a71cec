// The keys of a page: one table, by which keys act and which `?` shows.
import { el } from "./elements.js";

/**
 * @typedef {{keys: string[], shown: string[], words: string, act: (event: KeyboardEvent) => void}}
 *   KeyRow
 *   (keys: as KeyboardEvent.key has them, with "Ctrl+" (⌘ on a Mac) and "Shift+" before them, as
 *   in "Ctrl+Shift+z" or "Shift+1"; shown: what the overlay calls them; words: what they do)
 */

/** A row of the table. @param {string[]} keys @param {string} words
 * @param {(event: KeyboardEvent) => void} act @param {string[]} [shown] by default the keys
 * @returns {KeyRow} */
export function keyRow(keys, words, act, shown = keys) {
  return { keys, shown, words, act };
}

/** What is done once by a double click, and by a key that is held: else it would be undone at once.
 * @param {() => void} act */
export const once = (act) => (/** @type {MouseEvent|KeyboardEvent} */ event) => {
  if (event.detail < 2 && !(event instanceof KeyboardEvent && event.repeat)) act();
};

/** Let keys act, and `?` show them. Nothing acts while one types in a field or a dialog is open;
 * Space and Enter stay with a button or a link that has the focus.
 * @param {KeyRow[]} table */
export function actOnKeys(table) {
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
export function showKeys(table) {
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
