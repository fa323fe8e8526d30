// The blocks of code that a README marks with `<!-- run: NAME -->`.
import { readFile } from 'node:fs/promises';

/** A block, as it stands there; undefined if there is none. @param {string} file @param {string} name @returns {Promise<string | undefined>} */
export async function block(file, name) {
  const [, rest] = (await readFile(file, 'utf8')).split(`<!-- run: ${name} -->\n\`\`\`sh\n`);
  return rest?.split('\n```')[0];
}

/** A block that has to be there. @param {string} file @param {string} name @returns {Promise<string>} */
export async function needed(file, name) {
  const found = await block(file, name);
  if (found === undefined) throw new Error(`${file} has no block of code that is marked \`run: ${name}\``);
  return found;
}
