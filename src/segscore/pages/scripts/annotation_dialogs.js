// @ts-check
// What the page asks: a name, a label or a title, a comment, yes or no.
import { el, named } from "./elements.js";

/** A dialog that stays until it is answered. @param {string} id @param {string|Node} heading
 * @param {(Node|string)[]} inside @param {{must?: boolean, answered: (box: HTMLDialogElement) => void,
 *   left?: () => void}} how  (must: it cannot be left without an answer; left: it was closed without
 *   an answer, as Escape does) @returns {HTMLDialogElement} */
function openDialog(id, heading, inside, { must = false, answered, left }) {
  const back = document.activeElement;
  const form = el("form", {}, el("h2", { id: `${id}-heading` }, heading), ...inside);
  const box = /** @type {HTMLDialogElement} */ (el("dialog", { id, "aria-labelledby": `${id}-heading` }, form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answered(box);
  });
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
    if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
    if (open) left?.();
  });
  document.body.append(box);
  box.showModal();
  return box;
}

/** @param {HTMLDialogElement} box */
function closeAnswered(box) {
  box.setAttribute("data-answered", "");
  box.close();
}

/** What was typed, without space around it, and without halves of signs, which a field that is full
 * cuts off and no file can hold. @param {string} typed */
const cleanText = (typed) => typed.replace(/\p{Cs}/gu, "").normalize("NFC").trim();

/** @param {string} words @param {() => void} [act] */
function plainButton(words, act) {
  const button = el("button", { type: "button" }, words);
  if (act) button.addEventListener("click", act);
  return button;
}

/** A button that closes a dialog, and nothing else happens. @param {() => HTMLDialogElement} box */
const cancelButton = (box) => plainButton("Cancel", () => closeAnswered(box()));

const okButton = (/** @type {string} */ words) => el("button", { type: "submit", class: "primary" }, words);

/** Names without what one types in different ways on different days. @param {string} name */
const plainName = (name) => name.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();

/** Who is there? @param {string} now @param {string[]} known names with work on this page
 * @param {boolean} must @param {(name: string) => void} answered */
export function askName(now, known, must, answered) {
  const field = /** @type {HTMLInputElement} */ (el("input", { type: "text", id: "name", value: now,
    maxlength: 200, autocomplete: "name", autofocus: true, "aria-required": "true", "aria-describedby": "name-why name-hint" }));
  const hint = el("div", { id: "name-hint", role: "status" });
  const nameButton = (/** @type {string} */ name, /** @type {string} */ before = "") => {
    const button = plainButton(before, () => take(name));
    button.append(named(name, 40));
    return button;
  };
  const take = (/** @type {string} */ name) => {
    closeAnswered(box);
    answered(name);
  };
  const typed = () => {
    const name = cleanText(field.value);
    const like = known.find((one) => one !== name && plainName(one) === plainName(name));
    if (!name) hint.replaceChildren(el("p", { class: "missing" }, "Please type a name."));
    else if (like !== undefined && !known.includes(name)) {
      hint.replaceChildren(el("div", { class: "missing" }, el("p", {}, named(like, 40),
        " has work on this page. Are you ", named(like, 40), "?"),
      el("p", { class: "answers" }, nameButton(like, "Yes, I am "), nameButton(name, "No, I am "))));
    } else take(name);
  };
  field.addEventListener("input", () => hint.replaceChildren());
  const box = openDialog("ask-name", "What is your name?", [
    el("p", { id: "name-why" }, "It stands in your export, so that your boundaries are known as yours. " +
      "Use the same name each time."),
    el("label", { class: "field", for: "name" }, "Name"), field, hint,
    ...(known.length ? [el("p", { class: "small" }, "Work in this browser: ", ...known.map((name) => nameButton(name)))] : []),
    el("p", { class: "answers" }, okButton("Start"), ...(must ? [] : [cancelButton(() => box)])),
  ], { must, answered: typed });
}

/** A label from a list. @param {string|Node} heading @param {string[]} labels @param {string} now
 * @param {(label: string) => void} answered */
export function askLabel(heading, labels, now, answered) {
  const take = (/** @type {string} */ label) => {
    closeAnswered(box);
    answered(label);
  };
  const buttons = labels.map((label, i) => {
    const button = plainButton("", () => take(label));
    button.append(...(i < 9 ? [el("kbd", {}, `${i + 1}`), " "] : []), named(label, 120));
    button.setAttribute("aria-pressed", `${label === now}`);
    return button;
  });
  const box = openDialog("ask-label", heading, [
    el("div", { class: "label-list", role: "group", "aria-label": "Labels" }, ...buttons),
    el("p", { class: "answers" }, plainButton("No label", () => take("")), cancelButton(() => box)),
  ], { answered: () => {} });
  (buttons[Math.max(0, labels.indexOf(now))] ?? box).focus();
  box.addEventListener("keydown", (event) => {
    const label = /^[1-9]$/.test(event.key) ? labels[Number(event.key) - 1] : undefined;
    if (label !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      take(label);
    }
  });
}

/** A title; Escape keeps what was typed. @param {string|Node} heading @param {string} now @param {(title: string) => void} answered */
export function askTitle(heading, now, answered) {
  const field = /** @type {HTMLInputElement} */ (el("input", { type: "text", id: "title-field", value: now,
    maxlength: 500, dir: "auto", autofocus: true, autocomplete: "off" }));
  const box = openDialog("ask-title", heading, [
    el("label", { class: "field", for: "title-field" }, "Title"), field,
    el("p", { class: "answers" }, okButton("Save"), cancelButton(() => box)),
  ], { answered: () => {
    closeAnswered(box);
    answered(cleanText(field.value));
  }, left: () => answered(cleanText(field.value)) });
  field.select();
}

/** A comment; Escape keeps what was typed. @param {string} heading @param {string} now @param {(text: string) => void} answered */
export function askComment(heading, now, answered) {
  const field = /** @type {HTMLTextAreaElement} */ (el("textarea", { id: "comment-field", rows: 4,
    maxlength: 5000, dir: "auto", autofocus: true }));
  field.value = now;
  const send = () => {
    closeAnswered(box);
    answered(cleanText(field.value));
  };
  const box = openDialog("ask-comment", heading, [
    el("label", { class: "field", for: "comment-field" }, "Comment"), field,
    el("p", { class: "small" }, el("span", { class: "by-keys" }, "Ctrl+Enter or Esc saves. "), "An empty comment is removed."),
    el("p", { class: "answers" }, okButton("Save"), cancelButton(() => box)),
  ], { answered: send, left: () => answered(cleanText(field.value)) });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
  });
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
