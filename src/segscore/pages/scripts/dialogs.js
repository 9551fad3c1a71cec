// Dialogs, and what every page may ask or tell in one.
import { el } from "./elements.js";

/** A dialog that stays until it is answered. @param {string} id @param {string|Node} heading
 * @param {(Node|string)[]} inside @param {{must?: boolean, answered: (box: HTMLDialogElement) => void,
 *   left?: () => void}} how  (must: it cannot be left without an answer; left: it was closed without
 *   an answer, as Escape does) @returns {HTMLDialogElement} */
export function openDialog(id, heading, inside, { must = false, answered, left }) {
  const back = document.activeElement;
  const form = el("form", {}, el("h2", { id: `${id}-heading` }, heading), ...inside);
  const box = /** @type {HTMLDialogElement} */ (el("dialog", { id, "aria-labelledby": `${id}-heading` }, form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answered(box);
  });
  box.addEventListener("click", (event) => { // the second of two, of which the first has opened it
    if (event.detail > 1) { event.preventDefault(); event.stopPropagation(); }
  }, true);
  box.addEventListener("cancel", (event) => { // Escape; what comes of it is there before the next key
    event.preventDefault();
    if (must) return;
    closeAnswered(box);
    left?.();
  });
  box.addEventListener("close", () => {
    const open = !box.hasAttribute("data-answered"); // Escape twice closes in spite of everything
    if (must && open) {
      box.showModal();
      return;
    }
    box.remove();
    const there = back?.isConnected ? back : document.querySelector(".here"); // drawn anew meanwhile
    /** @type {HTMLElement|null} */ (there)?.focus({ preventScroll: true });
    if (open) left?.();
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

/** A button that closes a dialog, and nothing else happens. @param {() => HTMLDialogElement} box */
export const cancelButton = (box) => plainButton("Cancel", () => closeAnswered(box()));

export const okButton = (/** @type {string} */ words) => el("button", { type: "submit", class: "primary" }, words);

/** Yes or no. @param {string} heading @param {string} words @param {string} yes
 * @param {() => void} answered */
export function askWhether(heading, words, yes, answered) {
  const box = openDialog("ask-whether", heading, [el("p", {}, words),
    el("p", { class: "answers" }, okButton(yes), cancelButton(() => box))],
  { answered: () => {
    closeAnswered(box);
    answered();
  } });
}

/** Which of some ways to go? The last one is safe: it has the focus, and Escape takes it, too.
 * @param {string} heading @param {(Node|string)[]} inside
 * @param {{words: string, act: () => void}[]} ways @param {string} safe */
export function askWhich(heading, inside, ways, safe) {
  const buttons = ways.map(({ words, act }) => plainButton(words, () => {
    closeAnswered(box);
    act();
  }));
  const stay = plainButton(safe, () => closeAnswered(box));
  const box = openDialog("ask-which", heading, [...inside, el("p", { class: "answers" }, ...buttons, stay)],
    { answered: () => {} });
  stay.classList.add("primary");
  stay.focus();
}

/** Something that must be read. @param {string} heading @param {...string} lines */
export function tellInDialog(heading, ...lines) {
  const box = openDialog("tell", heading, [...lines.map((one) => el("p", {}, one)),
    el("p", { class: "answers" }, okButton("Close"))], { answered: () => closeAnswered(box) });
}
