// Pages without a nameable origin: they are rejected, and their button stays usable.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { refused } from '../../lib/hosts.mjs';
import { element, EVENT_RECORDER } from '../../lib/quest.mjs';

/** Returns a page in one file. @param {any} stage */
const single = (stage) => `<!doctype html><title>A quest</title>${element(stage, 'origin-site="https://quest.example/"')}
  <script type="module" src="${stage.service.url}/sdk/v1/voight.js"></script><script type="module">${EVENT_RECORDER}</script>`;

/** Asserts that the page is rejected with a named error. @param {import('../../lib/quest.mjs').Where} where */
const isRefused = (where) => refused(where, 'origin_not_allowed', false);

/** @param {any} stage @param {string} body */
async function inPage({ site, tab }, body) {
  await tab.goto(site.put('/odd', `<!doctype html><title>A portal</title>${body}`));
  const frame = await tab.waitForFrame((frame) => frame.parentFrame() !== null && !frame.url().includes('/window/v1'));
  await isRefused(frame);
}

/** @param {string} text */
const quoted = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

export const odd = {
  async 'page from a file'(stage) {
    const folder = await mkdtemp(join(tmpdir(), 'quest-'));
    await writeFile(join(folder, 'quest.html'), single(stage));
    await stage.tab.goto(pathToFileURL(join(folder, 'quest.html')).href);
    await isRefused(stage.tab);
    await rm(folder, { recursive: true });
  },

  'sandboxed frame without an origin': (stage) =>
    inPage(stage, `<iframe sandbox="allow-scripts" width="900" height="700" srcdoc="${quoted(single(stage))}"></iframe>`),

  'frame of a data: address': (stage) =>
    inPage(stage, `<iframe width="900" height="700" src="data:text/html,${encodeURIComponent(single(stage))}"></iframe>`),
};
