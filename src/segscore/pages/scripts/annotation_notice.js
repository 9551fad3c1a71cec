// @ts-check
// What the page tells in sight: one message above the bar, with buttons, until it is closed. It
// covers the end of the text and moves nothing.
import { byId, el } from "./elements.js";

/** @typedef {{words: string, act: () => void}} NoticeButton */

/** Show a message in place of the one before; screen readers are told, too.
 * @param {string} words @param {NoticeButton[]} [buttons] without any to choose, it goes at the next change */
export function showNotice(words, buttons = []) {
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
export function closeNotice(passing = false) {
  const box = byId("notice");
  if (!box || (passing && !box.classList.contains("passing"))) return;
  const focused = box.contains(document.activeElement);
  box.hidden = true;
  box.replaceChildren();
  if (focused) /** @type {HTMLElement|null} */ (document.querySelector("#text .gap.here"))?.focus({ preventScroll: true });
}
