// Pages inside the frames of other sites.
import assert from 'node:assert/strict';
import { passes } from '../../lib/hosts.mjs';
import { claims } from '../../lib/receipt.mjs';
import { element, page } from '../../lib/quest.mjs';
import { otherName } from '../../lib/site.mjs';

/** Opens a page that frames another, and returns the frame. @param {any} stage @param {string} around origin of the page around */
async function framed(stage, around) {
  const { site, tab } = stage;
  const inner = page(stage, element(stage), { path: '/inner' });
  site.put('/outer', `<!doctype html><title>A portal</title><iframe src="${inner}" width="900" height="700"></iframe>`);
  await tab.goto(`${around}/outer`);
  return tab.waitForFrame((frame) => frame.url() === inner);
}

export const frames = {
  async 'frame of the same origin'(stage) {
    const frame = await framed(stage, stage.site.origin);
    await passes(stage, frame);
  },

  async 'frame of another origin'(stage) {
    const { service, site } = stage;
    const around = otherName(site.origin);
    const account = await service.account('portal');
    await service.command('client', 'origins', account.client, '--set', site.origin, around);
    const frame = await framed({ ...stage, account }, around);
    await passes(stage, frame);
    const [{ detail }] = await frame.evaluate(() => events.filter(({ name }) => name === 'verified'));
    assert.equal((await claims(stage.service, detail)).origin, site.origin, 'what counts is the page with the component');
  },
};
