// @ts-check
// What the annotation page asks: a name, a label or a title, a comment.
import { cancelButton, closeAnswered, okButton, openDialog, plainButton } from "./dialogs.js";
import { el, named } from "./elements.js";
import { LONGEST_COMMENT, withoutHalves } from "./form_controls.js";

/** What was typed, without space around it. @param {string} typed */
const cleanText = (typed) => withoutHalves(typed).normalize("NFC").trim();

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
    el("p", { id: "name-why" }, "It is part of your export, so that your boundaries are known as yours. " +
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

/** A title or a comment. It is kept at each letter, so that no reload loses it, and whoever leaves by
 * Escape keeps it, too; Cancel puts back what was there.
 * @param {"title"|"comment"} word @param {string|Node} heading @param {string} now
 * @param {(text: string) => void} typed @param {(text: string) => void} answered */
export function askText(word, heading, now, typed, answered) {
  const long = word === "comment";
  const field = /** @type {HTMLInputElement|HTMLTextAreaElement} */ (el(long ? "textarea" : "input", { id: `${word}-field`,
    rows: long ? 4 : null, maxlength: long ? LONGEST_COMMENT : 500, dir: "auto", autofocus: true, autocomplete: "off" }));
  field.value = now;
  const send = (/** @type {string} */ text) => {
    closeAnswered(box);
    answered(text);
  };
  const save = () => send(cleanText(field.value));
  const box = openDialog(`ask-${word}`, heading, [
    el("label", { class: "field", for: field.id }, long ? "Comment" : "Title"), field,
    ...(long ? [el("p", { class: "small" }, el("span", { class: "by-keys" }, "Ctrl+Enter or Esc saves. "), "An empty comment is removed.")] : []),
    el("p", { class: "answers" }, okButton("Save"), plainButton("Cancel", () => send(now))),
  ], { answered: save, left: save });
  if (!long) field.select();
  field.addEventListener("input", () => typed(cleanText(field.value)));
  field.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey } = /** @type {KeyboardEvent} */ (event);
    if (key !== "Enter" || !(ctrlKey || metaKey)) return;
    event.preventDefault();
    save();
  });
}
