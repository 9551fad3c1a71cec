// One row of a strip: boundaries over the units of a document, with lines and signs.

import { el, svg } from "./elements.js";
import { STATUS } from "./signs.js";

/** Marks over units: a line and a sign for each. Lines are stretched with the picture; signs keep
 * their shape, so they stand at shares of its width. @param {string} label @param {number} units
 * @param {number} high @param {[string, number[]][]} kinds positions by status
 * @param {(p: number) => number} top @param {SVGElement[]} [behind] */
export function lane(label, units, high, kinds, top, behind = []) {
  const all = Math.max(units, 1);
  const lines = kinds.map(([status, positions]) => svg("path", { class: `mark ${status}`,
    d: positions.map((p) => (status === "missed" // a line with a hole, where nothing stands
      ? `M${p} ${top(p)}V${0.22 * high}M${p} ${0.78 * high}V${high}`
      : `M${p} ${top(p)}V${high}`)).join("") }));
  const signs = kinds.filter(([, positions]) => positions.length).map(([status, positions]) => {
    const made = svg("text", { class: `sign ${status}`,
      x: positions.map((p) => `${Number(((100 * p) / all).toFixed(3))}%`).join(" "),
      y: positions.map((p) => Math.min((top(p) + high) / 2, high - 7)).join(" ") }); // whole
    made.textContent = STATUS[status][0].repeat(positions.length);
    return made;
  });
  return svg("svg", { class: "lane", height: high, role: "img", "aria-label": label },
    svg("svg", { class: "stretched", viewBox: `0 0 ${all} ${high}`, preserveAspectRatio: "none",
      width: "100%", height: high }, ...behind, ...lines), ...signs);
}

/** One mark as the strip draws it. @param {string} status */
export function swatch(status) {
  const made = lane(STATUS[status][1], 2, 20, [[status, [1]]], () => 0);
  made.setAttribute("class", "lane swatch");
  made.setAttribute("aria-hidden", "true");
  return made;
}

/** The first and the last unit of a strip. @param {number} units */
export function ends(units) {
  return el("span", { class: "ends", "aria-hidden": "true" }, el("span", {}, "1"),
    el("span", {}, units.toLocaleString("en")));
}

/** A click on a lane leads to the nearest of some places. @param {HTMLElement} made
 * @param {number} units @param {number[]} places @param {(p: number) => void} goTo */
export function leadsTo(made, units, places, goTo) {
  made.addEventListener("click", (event) => {
    const clicked = /** @type {Element} */ (event.target).closest(".lane");
    if (!clicked) return;
    const frame = clicked.getBoundingClientRect();
    const wanted = ((event.clientX - frame.left) / frame.width) * units;
    const nearest = [...places].sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
    if (nearest !== undefined) goTo(nearest);
  });
}

/** Show in each lane where one is; nowhere if null. @param {Element} inside @param {number|null} at
 * @param {number} units */
export function showNow(inside, at, units) {
  for (const one of inside.querySelectorAll(".strip .stretched")) {
    one.querySelector(".now")?.remove();
    if (at !== null) one.append(svg("path", { class: "now", d: `M${Math.min(at, units)} 0V1000` }));
  }
}
