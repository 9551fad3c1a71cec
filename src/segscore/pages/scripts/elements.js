// Elements made of names and texts, which are set as text, never as markup; and how names and numbers look.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with attributes and children; children that are strings become text.
 * @param {string} tag @param {Record<string, string|number|boolean|null>} [attributes]
 * @param {...(Node|string)} children @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
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
export function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, `${value}`);
  made.append(...children);
  return made;
}

/** @param {string} id @returns {HTMLElement|null} */
export const byId = (id) => document.getElementById(id);

/** A name with control characters spelt out, so that none can hide or turn what stands around it.
 * @param {string|number} name */
export function visible(name) {
  return `${name}`.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (sign) =>
    sign === "\u200d" ? sign : `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}

/** A part of a text that begins and ends with a whole sign: half of one cannot be shown.
 * @param {string} text @param {number} from @param {number} to */
export function wholeSigns(text, from, to) {
  const halved = (/** @type {number} */ i) => i > 0 && i < text.length && /[\udc00-\udfff]/.test(text[i]) &&
    /[\ud800-\udbff]/.test(text[i - 1]);
  return text.slice(halved(from) ? from + 1 : from, halved(to) ? to - 1 : to);
}

/** A name, apart from the direction of the text around it; long ones lose their middle.
 * @param {string|number} name @param {number} [most] */
export function named(name, most = 60) {
  let text = `${name}`;
  if (text.length > most) {
    const tail = Math.floor(most / 3);
    text = `${wholeSigns(text, 0, most - tail - 1)}…${wholeSigns(text, text.length - tail, text.length)}`;
  }
  return el("bdi", {}, visible(text));
}

/** @param {number|null|undefined} value @param {number} [digits] */
export function number(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const shown = value.toFixed(digits);
  return Number(shown) === 0 ? shown.replace("-", "") : shown.replace("-", "−");
}

/** @param {number} n @param {string} what */
export const counted = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;

/** @param {number} n */
export const boundaries = (n) => `${n.toLocaleString("en")} ${n === 1 ? "boundary" : "boundaries"}`;

/** Words for those who do not see. @param {string} words */
export const unseen = (words) => el("span", { class: "unseen" }, words);

/** Seconds as 1:02:03 or 2:03; parts of a second have two digits. @param {number} seconds */
export function timecode(seconds) {
  const all = Math.round(100 * seconds) / 100;
  const [h, m, s] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const [whole, part] = (Number.isInteger(s) ? `${s}` : s.toFixed(2)).split(".");
  const parts = [...(h ? [`${h}`, `${m}`.padStart(2, "0")] : [`${m}`]), whole.padStart(2, "0")];
  return parts.join(":") + (part ? `.${part}` : "");
}
