// Undo and redo, without limit in a session. A change says what it takes to do it and to undo it;
// what that is, the page knows: most changes hold a value before and after.

/**
 * @template Change
 * @typedef {{done: Change[], undone: Change[]}} History
 */

/** @template Change @returns {History<Change>} */
export function newHistory() {
  return { done: [], undone: [] };
}

/** A change was made: what had been undone cannot be done again.
 * @template Change @param {History<Change>} history @param {Change} change */
export function recordChange(history, change) {
  history.done.push(change);
  history.undone.length = 0;
}

/** The change to be undone, or null. @template Change @param {History<Change>} history
 * @returns {Change|null} */
export function undoneChange(history) {
  const change = history.done.pop();
  if (change === undefined) return null;
  history.undone.push(change);
  return change;
}

/** The change to be done again, or null. @template Change @param {History<Change>} history
 * @returns {Change|null} */
export function redoneChange(history) {
  const change = history.undone.pop();
  if (change === undefined) return null;
  history.done.push(change);
  return change;
}

/** Forget changes that no longer fit, as those of a document that was loaded anew.
 * @template Change @param {History<Change>} history @param {(change: Change) => boolean} stays */
export function keepChanges(history, stays) {
  history.done = history.done.filter(stays);
  history.undone = history.undone.filter(stays);
}
