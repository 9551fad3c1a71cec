// @ts-check
// What the annotation page asks: a name, a label or a title, a comment.
import { closeAnswered, okButton, openDialog, plainButton } from "./dialogs.js";
import { el, named } from "./elements.js";
import { LONGEST_COMMENT, withoutHalves } from "./form_controls.js";

/** What was typed, without space around it. @param {string} typed */
const cleanText = (typed) => withoutHalves(typed).normalize("NFC").trim();

/** Who is there? @param {string} now @param {string[]} known names with work on this page
 * @param {boolean} must @param {(name: string) => void} answered */
export function askName(now, known, must, answered) {
  const field = /** @type {HTMLInputElement} */ (el("input", { type: "text", id: "name", value: now,
    required: true, maxlength: 200, autocomplete: "name", autofocus: true, "aria-describedby": "name-why" }));
  const take = (/** @type {string} */ name) => {
    const plain = cleanText(name);
    if (!plain) return;
    closeAnswered(box);
    answered(plain);
  };
  const box = openDialog("ask-name", "What is your name?", [
    el("p", { id: "name-why" }, "It is part of your export, so that your boundaries are known as yours. " +
      "Use the same name each time."),
    el("label", { class: "field", for: "name" }, "Name"), field,
    ...(known.length ? [el("p", { class: "small" }, "Work in this browser: ", ...known.map((name) => {
      const button = plainButton("", () => take(name));
      button.append(named(name, 40));
      return button;
    }))] : []),
    el("p", { class: "answers" }, okButton("Start"), ...(must ? [] : [plainButton("Cancel", () => box.close())])),
  ], { must, answered: () => take(field.value) });
}

/** A label from a list. @param {string} heading @param {string[]} labels @param {string} now
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
    el("p", { class: "answers" }, plainButton("No label", () => take("")), plainButton("Cancel", () => box.close())),
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

/** A title. @param {string} heading @param {string} now @param {(title: string) => void} answered */
export function askTitle(heading, now, answered) {
  const field = /** @type {HTMLInputElement} */ (el("input", { type: "text", id: "title-field", value: now,
    maxlength: 500, dir: "auto", autofocus: true, autocomplete: "off", "data-work": true }));
  const box = openDialog("ask-title", heading, [
    el("label", { class: "field", for: "title-field" }, "Title"), field,
    el("p", { class: "answers" }, okButton("Save"), plainButton("Cancel", () => box.close())),
  ], { answered: () => {
    closeAnswered(box);
    answered(cleanText(field.value));
  } });
  field.select();
}

/** A comment. Whoever leaves it by Escape keeps what was typed, as on the adjudication page.
 * @param {string} heading @param {string} now @param {(text: string) => void} answered */
export function askComment(heading, now, answered) {
  const field = /** @type {HTMLTextAreaElement} */ (el("textarea", { id: "comment-field", rows: 4,
    maxlength: LONGEST_COMMENT, dir: "auto", autofocus: true, "data-work": true }, now));
  const send = () => {
    closeAnswered(box);
    answered(cleanText(field.value));
  };
  const box = openDialog("ask-comment", heading, [
    el("label", { class: "field", for: "comment-field" }, "Comment"), field,
    el("p", { class: "small" }, "Ctrl+Enter or Esc saves. An empty comment is removed."),
    el("p", { class: "answers" }, okButton("Save"), plainButton("Cancel", () => box.close())),
  ], { answered: send });
  box.addEventListener("cancel", (event) => {
    event.preventDefault();
    send();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
  });
}
