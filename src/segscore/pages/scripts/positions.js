// Segmentations as masses (the sizes of segments) and as positions ("after unit p").

/** Positions from masses. @param {number[]} masses */
export function positionsOf(masses) {
  const found = [];
  let end = 0;
  for (let i = 0; i < masses.length - 1; i += 1) found.push((end += masses[i]));
  return found;
}

/** @param {number[]} positions @param {number} units */
export function massesOf(positions, units) {
  const ends = [...positions, units];
  return ends.map((end, i) => end - (i ? ends[i - 1] : 0));
}
