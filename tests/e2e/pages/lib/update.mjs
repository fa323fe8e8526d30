// Files that a suite compares with its output, and updates on demand.

/** Returns true if `VOIGHT_UPDATE` requests an update of committed files. In CI they are only compared. @returns {boolean} */
export function isUpdate() {
  if (!process.env.VOIGHT_UPDATE) return false;
  if (process.env.CI) throw new Error('VOIGHT_UPDATE and CI are both set: in CI committed files are compared and never written; unset one of them');
  return true;
}
