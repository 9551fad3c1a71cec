// Consensus: the same rules as segscore.consensus.

/** @typedef {{kept: Map<number, number>, left: Map<number, number>}} Votes */

/** How many coders are needed. @param {number|string} atLeast @param {number} coders */
export function votesNeeded(atLeast, coders) {
  if (atLeast === "majority") return Math.floor(coders / 2) + 1;
  if (atLeast === "union") return 1;
  return Math.max(1, Math.ceil(Number(atLeast) * coders - 1e-9));
}

/** The nearest boundary in reach; the lower of two. @param {Set<number>} places @param {number} p
 * @param {number} within */
function reach(places, p, within) {
  for (let d = 0; d <= within; d += 1) {
    if (places.has(p - d)) return p - d;
    if (places.has(p + d)) return p + d;
  }
  return null;
}

/**
 * The positions that enough coders mark (kept), and the others (left), with their votes. With
 * `within`, marks influence each other only in a run of positions at most `within` apart. Each run
 * is counted from the left and from the right; where ties lead to other positions, a hash of where
 * the run starts draws one of the two.
 * @param {number[][]} codings ascending positions @param {number|string} atLeast
 * @param {number} within @returns {Votes}
 */
export function countVotes(codings, atLeast, within) {
  const needed = votesNeeded(atLeast, codings.length);
  const marked = [...new Set(codings.flat())].sort((a, b) => a - b);
  /** @type {Votes} */
  const all = { kept: new Map(), left: new Map() };
  for (let first = 0, i = 1; i <= marked.length; i += 1) {
    if (i < marked.length && marked[i] - marked[i - 1] <= within) continue;
    const inside = codings.map((one) => one.filter((p) => p >= marked[first] && p <= marked[i - 1]));
    const one = countRun(inside, needed, within, 1);
    const other = countRun(inside, needed, within, -1);
    const equal = one.kept.size === other.kept.size && [...one.kept.keys()].every((p) => other.kept.has(p));
    const drawn = !equal && Math.imul(marked[first], 0x9E3779B1) < 0 ? other : one;
    for (const [p, n] of drawn.kept) all.kept.set(p, n);
    for (const [p, n] of drawn.left) all.left.set(p, n);
    first = i;
  }
  return all;
}

/**
 * The votes of a run: the best supported position comes first (then the one that more coders mark
 * exactly, then the first in the direction `sign`), takes each coder's nearest boundary, and these
 * are gone: each boundary votes once, so that what is left has too few votes, whatever stands near.
 * @param {number[][]} codings @param {number} needed @param {number} within @param {number} sign
 * @returns {Votes}
 */
function countRun(codings, needed, within, sign) {
  const sets = codings.map((one) => new Set(one.map((p) => sign * p)));
  /** @type {Map<number, number>} */
  const exact = new Map();
  for (const one of sets) for (const p of one) exact.set(p, (exact.get(p) ?? 0) + 1);
  const near = new Map([...exact.keys()].map((p) =>
    [p, sets.filter((places) => reach(places, p, within) !== null).length]));
  /** @type {Map<number, number>} */
  const kept = new Map();
  for (;;) {
    const best = bestSupported(near, exact);
    const votes = best === null ? 0 : near.get(best) ?? 0;
    if (best === null || votes < needed) {
      return { kept, left: new Map([...near].map(([p, n]) => [sign * p, n])) };
    }
    kept.set(sign * best, votes);
    for (const places of sets) takeVote(places, best, within, near, exact);
  }
}

/** The position with most votes, then most exact ones, then the leftmost.
 * @param {Map<number, number>} near votes in reach @param {Map<number, number>} exact */
function bestSupported(near, exact) {
  let best = null;
  for (const [p, n] of near) {
    if (best === null) { best = p; continue; }
    const gap = n - (near.get(best) ?? 0) || (exact.get(p) ?? 0) - (exact.get(best) ?? 0);
    if (gap > 0 || (gap === 0 && p < best)) best = p;
  }
  return best;
}

/** A coder's nearest boundary votes for a position, and for no other from then on.
 * @param {Set<number>} places of the coder @param {number} p @param {number} within
 * @param {Map<number, number>} near @param {Map<number, number>} exact */
function takeVote(places, p, within, near, exact) {
  const taken = reach(places, p, within);
  if (taken === null) return;
  const before = [];
  for (let q = taken - within; q <= taken + within; q += 1) {
    if (near.has(q)) before.push(q); // all of them were in reach of `taken`
  }
  places.delete(taken);
  exact.set(taken, (exact.get(taken) ?? 0) - 1);
  if (!exact.get(taken)) near.delete(taken); // nobody marks it any longer
  for (const q of before) {
    if (near.has(q) && reach(places, q, within) === null) near.set(q, (near.get(q) ?? 0) - 1);
  }
}

/** The positions that enough coders mark. @param {number[][]} codings
 * @param {number|string} atLeast @param {number} within */
export function consensus(codings, atLeast, within) {
  return [...countVotes(codings, atLeast, within).kept.keys()].sort((a, b) => a - b);
}
