// @ts-check
// The whole document at a glance: a line per boundary, and where one is.
import { boundaries, el, svg } from "./elements.js";
import { boundariesIn, placeAt } from "./annotation_state.js";

/** @import { Work } from "./annotation_state.js" */

const STRIP_HIGH = 26;

/** An empty strip; a click leads to a place. @param {(p: number) => void} goTo */
export function newStrip(goTo) {
  const picture = svg("svg", { class: "lane", height: STRIP_HIGH, role: "img", preserveAspectRatio: "none" });
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const units = Number(picture.getAttribute("data-units"));
    const share = (/** @type {MouseEvent} */ (event).clientX - box.left) / box.width;
    goTo(Math.min(units - 1, Math.max(1, Math.round(share * units))));
  });
  return { box: el("div", { class: "strip-line" }, picture), picture };
}

/** Draw boundaries and the place where one is. @param {{picture: SVGElement}} strip
 * @param {Work} work @param {number} units @param {number} at @param {number} levels
 * @param {number[]|null} reference what is shown above, once there is feedback */
export function drawStrip(strip, work, units, at, levels, reference) {
  const found = boundariesIn(work);
  const most = reference ? STRIP_HIGH / 2 - 1 : STRIP_HIGH;
  const high = (/** @type {number} */ p) => Math.round(most * (1 - (placeAt(work, p).level - 1) / (levels + 1)));
  const d = found.map((p) => `M${p} ${STRIP_HIGH}V${STRIP_HIGH - high(p)}`).join("");
  strip.picture.setAttribute("viewBox", `0 0 ${units} ${STRIP_HIGH}`);
  strip.picture.setAttribute("data-units", `${units}`);
  strip.picture.setAttribute("aria-label", `The whole document: ${boundaries(found.length)} among ` +
    `${units.toLocaleString("en")} units` +
    (reference ? `; above them the reference: ${boundaries(reference.length)}` : ""));
  const above = reference?.map((p) => `M${p} 0V${STRIP_HIGH / 2 - 1}`).join("");
  strip.picture.replaceChildren(svg("path", { class: "mark reference", d }),
    ...(above === undefined ? [] : [svg("path", { class: "mark match", d: above }),
      svg("path", { class: "middle", d: `M0 ${STRIP_HIGH / 2}H${units}` })]));
  moveNow(strip, at);
}

/** @param {{picture: SVGElement}} strip @param {number} at */
export function moveNow(strip, at) {
  strip.picture.querySelector(".now")?.remove();
  strip.picture.append(svg("path", { class: "now", d: `M${Math.max(at, 0)} 0V${STRIP_HIGH}` }));
}
