// The row of a strip for a coding whose boundaries may be ranked.

import { boundaries, svg, visible } from "./elements.js";
import { rankAt, ranked } from "./judging.js";
import { lane } from "./lanes.js";

/** @import { Coding, Row } from "./judging.js" */

/** The boundaries of a row: lines with their signs; ranked boundaries as nested bars.
 * @param {{units: number, codings: Coding[]}} doc @param {Row} row
 * @param {[string, number[]][]} kinds */
export function laneOf(doc, row, kinds) {
  const ranks = ranked(doc) ? row.coding.ranks ?? [] : [];
  const levels = ranks.reduce((most, one) => Math.min(6, Math.max(most, one)), 0);
  const high = levels ? 8 + 6 * levels : 20;
  /** Where the mark of a boundary begins: the less prominent, the lower. @param {number} p */
  const top = (p) => (levels ? ((Math.min(rankAt(row, p), levels) - 1) * high) / levels : 0);
  const bars = [];
  for (let level = 1; level <= levels; level += 1) {
    const cuts = row.positions.filter((_, i) => ranks[i] <= level);
    const y = ((level - 0.5) * high) / levels;
    const edges = [0, ...cuts, doc.units];
    const path = edges.slice(1).map((end, i) => `M${edges[i]} ${y}H${end}`).join("");
    bars.push(svg("path", { d: path, class: "level" }));
  }
  return lane(`${visible(row.coding.coder)}: ${boundaries(row.positions.length)}`, doc.units, high, kinds,
    top, bars);
}
