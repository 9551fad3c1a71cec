// Dialogs, and what every page may ask or tell in one.
import { el } from "./elements.js";

/** A dialog that stays until it is answered. @param {string} id @param {string} heading
 * @param {(Node|string)[]} inside @param {{must?: boolean, answered: (box: HTMLDialogElement) => void}} how
 *   (must: it cannot be left without an answer) @returns {HTMLDialogElement} */
export function openDialog(id, heading, inside, { must = false, answered }) {
  const back = document.activeElement;
  const form = el("form", {}, el("h2", { id: `${id}-heading` }, heading), ...inside);
  const box = /** @type {HTMLDialogElement} */ (el("dialog", { id, "aria-labelledby": `${id}-heading` }, form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answered(box);
  });
  box.addEventListener("cancel", (event) => { if (must) event.preventDefault(); });
  box.addEventListener("close", () => {
    if (must && !box.hasAttribute("data-answered")) { // Escape twice closes in spite of everything
      box.showModal();
      return;
    }
    box.remove();
    if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
  });
  document.body.append(box);
  box.showModal();
  return box;
}

/** @param {HTMLDialogElement} box */
export function closeAnswered(box) {
  box.setAttribute("data-answered", "");
  box.close();
}

/** @param {string} words @param {() => void} [act] */
export function plainButton(words, act) {
  const button = el("button", { type: "button" }, words);
  if (act) button.addEventListener("click", act);
  return button;
}

export const okButton = (/** @type {string} */ words) => el("button", { type: "submit", class: "primary" }, words);

/** Yes or no. @param {string} heading @param {string} words @param {string} yes
 * @param {() => void} answered */
export function askWhether(heading, words, yes, answered) {
  const box = openDialog("ask-whether", heading, [el("p", {}, words),
    el("p", { class: "answers" }, okButton(yes), plainButton("Cancel", () => box.close()))],
  { answered: () => {
    closeAnswered(box);
    answered();
  } });
}

/** Something that must be read. @param {string} heading @param {string} words */
export function tellInDialog(heading, words) {
  const box = openDialog("tell", heading, [el("p", {}, words), el("p", { class: "answers" }, okButton("Close"))],
    { answered: () => closeAnswered(box) });
}
