// A rule of consensus in words.

import { counted } from "./elements.js";

/** The share in words. @param {number|string} share */
export function shareWords(share) {
  return { union: "anyone", majority: "more than half" }[`${share}`] ??
    `at least ${Number((100 * Number(share)).toFixed(1))} %`;
}

/** @param {number} within */
export const distanceWords = (within) => (within ? `within ${counted(within, "unit")}` : "at the same place");

/** consensus-50-percent.jsonl: a name that says how it was made.
 * @param {{atLeast: number|string, within: number}} rule */
export function consensusFileName({ atLeast, within }) {
  const share = { union: "anyone", majority: "more-than-half" }[`${atLeast}`] ??
    `${Math.round(100 * Number(atLeast))}-percent`;
  return `consensus-${share}${within ? `-within-${within}` : ""}.jsonl`;
}
