// Files that a suite compares with its output, and updates on demand.

/** Whether `VOIGHT_UPDATE` asks for committed files to be written anew. In CI they are only compared. @returns {boolean} */
export function isUpdate() {
  if (!process.env.VOIGHT_UPDATE) return false;
  if (process.env.CI) throw new Error('VOIGHT_UPDATE and CI are both set: in CI committed files are compared and never written; unset one of them');
  return true;
}
