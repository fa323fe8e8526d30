// Window document outside of its component.
import assert from 'node:assert/strict';
import { assertNoSecrets, attacker, documentOf, hostilePage, shortPause, withRegisteredOrigin } from '../../lib/attack.mjs';
import { claimedOnce, passes, untilEvent } from '../../lib/hosts.mjs';
import { claims } from '../../lib/receipt.mjs';
import { claim, element, page, press, eventsOf, windowAt } from '../../lib/quest.mjs';
import { otherName } from '../../lib/site.mjs';

/** Returns an attacker's page that frames the document and sends messages continuously.
 * @param {any} stage @param {string} origin that it claims @param {string} address @param {string} [sandbox] */
function framing(stage, origin, address, sandbox = '') {
  const body = `<iframe id="target" src="${address.replaceAll('&', '&amp;')}" ${sandbox} width="500" height="500"></iframe>`;
  const script = `setInterval(() => talk(document.querySelector('#target').contentWindow, '${origin}', '${stage.account.context}'), 50);`;
  return attacker(stage, script, body);
}

/** Asserts that no frame shows a window. @param {import('puppeteer-core').Page} tab */
async function assertNoneShown(tab) {
  await shortPause();
  const look = (frame) => Promise.race([frame.evaluate(() => document.body?.dataset.view), shortPause()]).catch(() => undefined);
  assert.ok((await Promise.all(tab.frames().map(look))).every((view) => view === undefined));
}

/** Asserts that only errors with this code were received, or nothing at all.
 * @param {any} stage @param {import('puppeteer-core').Page | import('puppeteer-core').Frame} where @param {string} [code] */
async function refused(stage, where, code) {
  if (code) await where.waitForFunction(() => loot.some(({ data, from }) => from === 'the window' && data.t === 'error'));
  await shortPause();
  const messages = (await assertNoSecrets(stage, where)).filter(({ from }) => from === 'the window');
  const codes = messages.filter(({ data }) => data.t === 'error').map(({ data }) => data.code);
  assert.ok(codes.every((one) => one === code), `${codes}`);
  assert.equal(codes.length > 0, code !== undefined);
  assert.ok(!messages.some(({ data }) => data.t === 'state' || data.t === 'done'), 'no check was started');
}

/** Asserts that the window's document is loaded, and starts no check. @param {import('puppeteer-core').Page} tab */
async function assertIdle(tab) {
  await tab.waitForFunction(() => document.body?.dataset.view);
  await shortPause();
  assert.equal(await tab.evaluate(() => document.body.dataset.view), 'idle', 'no check is started');
}

export const documents = {
  async 'framed by another origin than the named one'(stage) {
    const { tab, site } = stage;
    await tab.goto(framing(stage, site.origin, documentOf(stage, { origin: site.origin })));
    await assertNoneShown(tab);
    await refused(stage, tab);
  },

  async 'framed by an origin that is not registered'(stage) {
    const strict = await withRegisteredOrigin(stage, 'strict');
    const evil = otherName(stage.site.origin);
    await stage.tab.goto(framing(strict, evil, documentOf(strict, { origin: evil })));
    await refused(stage, stage.tab, 'origin_not_allowed');
  },

  async 'framed by an origin that names itself as the outer page'(stage) {
    const strict = await withRegisteredOrigin(stage, 'around');
    const { origin } = stage.site;
    await stage.tab.goto(framing(strict, origin, documentOf(strict, { origin, within: otherName(origin) })));
    await refused(stage, stage.tab);
  },

  async "framed by an attacker's frame inside the named page"(stage) {
    const { tab, site } = stage;
    const evil = framing(stage, site.origin, documentOf(stage, { origin: site.origin }));
    await tab.goto(page(stage, `${element(stage)}<iframe src="${evil}" width="80" height="40"></iframe>`));
    const frame = await tab.waitForFrame((frame) => frame.url() === evil);
    await assertNoneShown(tab);
    await refused(stage, frame);
    await passes(stage);
  },

  async "the page with the button is framed by an attacker's page"(stage) {
    const { tab } = stage;
    const strict = await withRegisteredOrigin(stage, 'framed');
    const inner = page(strict, element(strict), { path: '/inner' });
    await tab.goto(attacker(stage, '', `<iframe src="${inner}" width="900" height="700"></iframe>`));
    const frame = await tab.waitForFrame((frame) => frame.url() === inner);
    await (await claim(frame)).click();
    await untilEvent(frame, 'error');
    const [{ detail }] = await eventsOf(frame, 'error');
    assert.ok(['origin_not_allowed', 'window_blocked'].includes(detail.code), detail.code);
    assert.deepEqual(await assertNoSecrets(stage, tab), []);
  },

  async 'in a sandbox without an origin'(stage) {
    const evil = otherName(stage.site.origin);
    await stage.tab.goto(framing(stage, evil, documentOf(stage, { origin: evil }), 'sandbox="allow-scripts"'));
    await refused(stage, stage.tab);
  },

  async 'opened as a top-level document'(stage) {
    const { tab, site } = stage;
    await tab.goto(documentOf(stage, { origin: site.origin }));
    await assertIdle(tab);
  },

  async 'opened as a popup'(stage) {
    const { tab } = stage;
    const evil = otherName(stage.site.origin);
    const open = `let opened; document.querySelector('button').onclick = () => {
      opened = open('${documentOf(stage, { origin: evil })}');
      setInterval(() => talk(opened, '${evil}', '${stage.account.context}'), 20);
    };`;
    await tab.goto(attacker(stage, open, '<button>Open</button>'));
    const popup = new Promise((resolve) => tab.once('popup', resolve));
    await tab.click('button');
    const popupPage = await popup;
    await assertIdle(popupPage);
    await refused(stage, tab);
    await popupPage.close();
  },

  async 'framed by a page under its own origin'(stage) {
    const { tab } = stage;
    const evil = otherName(stage.site.origin);
    await tab.goto(framing(stage, evil, documentOf(stage, { origin: evil })));
    await press(tab).catch(async (cause) => Promise.reject(new Error(`${cause.message} ${JSON.stringify(await assertNoSecrets(stage, tab, evil))}`)));
    await tab.waitForFunction(() => loot.some(({ data }) => data.t === 'done'));
    const done = (await assertNoSecrets(stage, tab, evil)).find(({ data }) => data.t === 'done');
    assert.equal((await claims(stage.service, done.data.receipt)).origin, evil, 'its receipt names it');
  },

  async 'the frame is replaced during the check'(stage) {
    const { tab } = stage;
    const evil = attacker(stage, `setInterval(() => parent.postMessage({ p: 'voight/1', t: 'hello' }, '*'), 5);`);
    await tab.goto(hostilePage(stage, `window.replace = () => (document.querySelector('voight-check').shadowRoot.querySelector('iframe').src = '${evil}');`));
    await (await claim(tab)).click();
    await windowAt(tab, 'first');
    await tab.evaluate(() => void window.replace());
    const frame = await tab.waitForFrame((frame) => frame.url() === evil);
    await untilEvent(tab, 'error');
    const [{ detail }] = await eventsOf(tab, 'error');
    assert.deepEqual([detail.code, detail.retryable], ['window_blocked', true]);
    assert.deepEqual(await eventsOf(tab, 'verified'), []);
    if (!frame.detached) assert.deepEqual(await assertNoSecrets(stage, frame), []);
  },

  async 'two elements at once'(stage) {
    const { tab } = stage;
    const second = element(stage, 'id="second" eoa-address="0x8617E340B3D01FA5F11F306F4090FD50E238070D"').replace('id="claim"', 'id="other"');
    await tab.goto(page(stage, element(stage) + second));
    await passes(stage);
    await tab.click('#other');
    await press(tab);
    await tab.waitForFunction(() => document.querySelector('#second').state === 'verified');
    const receipts = await Promise.all((await eventsOf(tab, 'verified')).map(({ detail }) => claims(stage.service, detail)));
    assert.equal(new Set(receipts.map(({ jti }) => jti)).size, 2);
    assert.equal(new Set(receipts.map(({ address }) => address)).size, 2, 'each for its own address');
  },

  async 'the page accesses the document of the window'(stage) {
    const look = `window.look = () => {
      const { contentDocument, contentWindow } = document.querySelector('voight-check').shadowRoot.querySelector('iframe');
      const tries = [() => contentWindow.document, () => contentWindow.location.href, () => contentWindow.fetch, () => contentWindow.localStorage];
      return [contentDocument === null, ...tries.map((attempt) => { try { attempt(); return false; } catch { return true; } })];
    };`;
    await stage.tab.goto(hostilePage(stage, look));
    await (await claim(stage.tab)).click();
    await windowAt(stage.tab, 'first');
    assert.deepEqual(await stage.tab.evaluate(() => window.look()), [true, true, true, true, true]);
    await press(stage.tab);
    await claimedOnce(stage.tab);
  },
};

export const slow = {
  async 'the frame is replaced before the window loads'(stage) {
    const { tab } = stage;
    const evil = attacker(stage, `setInterval(() => parent.postMessage({ p: 'voight/1', t: 'hello' }, '*'), 5);`);
    const replace = `
      addEventListener('load', () => {
        const { shadowRoot } = document.querySelector('voight-check');
        const swap = () => shadowRoot.querySelectorAll('iframe').forEach((frame) => frame.src === '${evil}' || (frame.src = '${evil}'));
        new MutationObserver(swap).observe(shadowRoot, { childList: true, subtree: true });
      });`;
    await tab.goto(hostilePage(stage, replace));
    await (await claim(tab)).click();
    await untilEvent(tab, 'error');
    const [{ detail }] = await eventsOf(tab, 'error');
    assert.deepEqual([detail.code, detail.retryable], ['window_blocked', true]);
    for (const frame of tab.frames().filter((frame) => frame.url() === evil)) assert.deepEqual(await assertNoSecrets(stage, frame), []);
  },
};
