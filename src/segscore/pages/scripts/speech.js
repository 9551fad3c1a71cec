// Who speaks and when, and in which direction a text runs.
import { el, timecode, visible } from "./elements.js";

/** The line above what is said: the speaker and the time, if they are known.
 * @param {string|null|undefined} who @param {number|null|undefined} when seconds @returns {HTMLElement[]} */
export function speechLine(who, when) {
  if (!who && typeof when !== "number") return [];
  return [el("span", { class: "speech" },
    ...(who ? [el("b", {}, el("bdi", {}, visible(who)))] : []),
    ...(typeof when === "number" ? [el("span", { class: "time" }, timecode(Math.floor(when)))] : []))];
}

/** Whether most of a text runs from right to left. @param {string[]} units */
export function isRightToLeft(units) {
  const text = units.slice(0, 50).join(" ").slice(0, 5000);
  const right = text.match(/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu);
  const letters = text.match(/\p{L}/gu);
  return (right?.length ?? 0) > (letters?.length ?? 0) / 2;
}
