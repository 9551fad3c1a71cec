// Places on which people differ: the same rule as segscore.contested, for positions one apart.

/** The position that most people mark (the first of equals) of each place on which they differ. All
 * gaps of a run are alike, so it is cut from the left until nobody has two marks in what is left.
 * @param {number[][]} codings ascending positions */
export function contestedPlaces(codings) {
  /** @type {Map<number, number[]>} */
  const who = new Map();
  codings.forEach((one, i) => { for (const p of one) who.set(p, [...who.get(p) ?? [], i]); });
  /** @type {number[][]} */
  const places = [];
  let seen = new Set(); // who marks the last place of the run
  let cut = false; // whether the run had to be cut: what stands further left stands alone
  for (const p of [...who.keys()].sort((a, b) => b - a)) {
    const marks = who.get(p) ?? [];
    const last = places.at(-1);
    if (last?.[0] !== p + 1) { cut = false; seen = new Set(); }
    else cut ||= marks.some((one) => seen.has(one));
    if (last?.[0] === p + 1 && !cut) last.unshift(p);
    else places.push([p]);
    for (const one of marks) seen.add(one);
  }
  /** @param {number} p */
  const votes = (p) => who.get(p)?.length ?? 0;
  return places.filter((one) => one.length > 1 || votes(one[0]) < codings.length).reverse()
    .map((one) => one.reduce((best, p) => (votes(p) > votes(best) ? p : best)));
}
