// Modules of the npm package: the bytes that the service serves, in their own directory.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** @type {Promise<string> | undefined} */
let fetched;

/** Directory of the modules. @param {import('./service.mjs').Service} service */
export const modules = (service) => (fetched ??= fetchAll(service));

async function fetchAll(service) {
  const folder = await mkdtemp(join(tmpdir(), 'voight-sdk-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const { assets } = await service.command('doctor', '--assets');
  for (const { path } of assets) {
    const file = join(folder, path.replace('/sdk/v1/', ''));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await (await fetch(service.url + path)).text());
  }
  return folder;
}
