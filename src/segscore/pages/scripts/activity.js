// @ts-check
// Seconds of activity: from one sign of life to the next, unless a pause is longer than a minute.

const LONGEST_PAUSE = 60; // seconds

/** @typedef {{last: number|null, add: (seconds: number) => void}} Activity */

/** Count from now on. @param {(seconds: number) => void} add @returns {Activity} */
export function countActivity(add) {
  /** @type {Activity} */
  const activity = { last: null, add };
  for (const kind of ["keydown", "pointerdown", "pointermove", "wheel", "touchmove"]) {
    document.addEventListener(kind, () => signOfLife(activity, performance.now() / 1000),
      { passive: true, capture: true });
  }
  return activity;
}

/** Somebody did something. @param {Activity} activity @param {number} now in seconds */
export function signOfLife(activity, now) {
  const pause = activity.last === null ? 0 : now - activity.last;
  activity.last = now;
  if (pause > 0 && pause <= LONGEST_PAUSE) activity.add(pause);
}
