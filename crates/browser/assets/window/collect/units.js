/** Units of the evidence: times in 0.1 ms, lengths in hundredths of a CSS pixel. */

/** @param {number} ms */
export const tenths = (ms) => Math.round(ms * 10);

/** @param {number} px */
export const hundredths = (px) => Math.round(px * 100);

/** Roles of targets in rows, by the `data-role` of the element that was hit. */
const ROLES = ['page', 'first', 'second', 'other'];

/** @param {EventTarget | null} target @returns {number} */
export function role(target) {
  if (!(target instanceof Element)) return 0;
  const button = target.closest('button');
  return button ? Math.max(ROLES.indexOf(button.dataset.role ?? 'other'), 1) : 0;
}

/**
 * Replaces absolute values by differences to the previous row, in the given columns; the first row is unchanged.
 *
 * @param {any[][]} rows @param {number[]} columns @returns {any[][]}
 */
export const deltas = (rows, columns) =>
  rows.map((row, at) => row.map((value, column) => (at > 0 && columns.includes(column) ? value - rows[at - 1][column] : value)));

/** List with a maximum length, which drops its oldest rows. */
export class Rows {
  /** @param {number} limit */
  constructor(limit) {
    this.limit = limit;
    /** @type {any[][]} */
    this.rows = [];
  }

  /** @param {any[]} row */
  add(row) {
    if (this.rows.push(row) > this.limit) this.rows.shift();
  }

  /** Removes all rows. @returns {any[][]} the removed rows */
  take() {
    return this.rows.splice(0);
  }
}
