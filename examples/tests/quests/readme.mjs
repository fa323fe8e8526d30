// Code blocks that a README marks with `<!-- run: NAME -->`.
import { readFile } from 'node:fs/promises';

/** Returns the text of a block, or undefined. @param {string} file @param {string} name @returns {Promise<string | undefined>} */
export async function block(file, name) {
  const [, rest] = (await readFile(file, 'utf8')).split(`<!-- run: ${name} -->\n\`\`\`sh\n`);
  return rest?.split('\n```')[0];
}

/** Returns the text of a required block; throws if it is missing. @param {string} file @param {string} name @returns {Promise<string>} */
export async function needed(file, name) {
  const readmeBlock = await block(file, name);
  if (readmeBlock === undefined) throw new Error(`${file} has no block of code that is marked \`run: ${name}\``);
  return readmeBlock;
}
