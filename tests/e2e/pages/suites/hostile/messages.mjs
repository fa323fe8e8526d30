// Valid messages from invalid senders, and floods of messages.
import assert from 'node:assert/strict';
import { assertNoSecrets, hostilePage, withAttackerFrame } from '../../lib/attack.mjs';
import { claimedOnce, passes, untilEvent } from '../../lib/hosts.mjs';
import { claim, press, eventsOf, windowAt } from '../../lib/quest.mjs';

const EVERY = 'setInterval(() => {';
const SAY = (what) => `${EVERY} parent.postMessage(${what}, '*'); }, 5);`;

/** Asserts that an attacker's frame beside the button changes nothing, and receives nothing. @param {any} stage @param {string} script */
async function ignored(stage, script) {
  const evil = await withAttackerFrame(stage, script);
  await passes(stage);
  assert.deepEqual(await assertNoSecrets(stage, evil), []);
}

/** Returns the window's frame, as a script of the page finds it. */
const FRAME = `const framed = () => document.querySelector('voight-check').shadowRoot.querySelector('iframe')?.contentWindow;`;

export const messages = {
  'another frame sends hello': (stage) => ignored(stage, SAY(`{ p: 'voight/1', t: 'hello' }`)),

  async 'another frame reports a receipt'(stage) {
    await ignored(
      stage,
      SAY(`{ p: 'voight/1', t: 'done', receipt: 'stolen' }`) + SAY(`{ p: 'voight/1', t: 'ready', nonce: '' }`),
    );
    const [{ detail }] = await eventsOf(stage.tab, 'verified');
    assert.notEqual(detail, 'stolen');
  },

  'another frame reports an error': (stage) =>
    ignored(stage, SAY(`{ p: 'voight/1', t: 'error', code: 'internal', retryable: false, reference: 'x' }`)),

  async 'the page sends hello to itself'(stage) {
    const { tab } = stage;
    await tab.goto(hostilePage(stage, `${EVERY} postMessage({ p: 'voight/1', t: 'hello' }, '*'); }, 5);`));
    await passes(stage);
    const loot = await assertNoSecrets(stage, tab);
    assert.ok(loot.every(({ data }) => data.t === 'hello'), 'no init');
  },

  async 'another frame sends init to the window first'(stage) {
    const evil = await withAttackerFrame(stage, `${EVERY} for (let at = 0; at < parent.length; at += 1) talk(parent[at], location.origin, 'x'); }, 5);`);
    await passes(stage);
    const loot = await assertNoSecrets(stage, evil);
    assert.ok(loot.every(({ data }) => data.t === 'init'), 'the window is in no list of frames');
  },

  async 'a second init message'(stage) {
    const { tab, account } = stage;
    await tab.goto(hostilePage(stage, `${FRAME} window.again = () => talk(framed(), location.origin, '${account.context}');`));
    await (await claim(tab)).click();
    await windowAt(tab, 'first');
    await tab.evaluate(() => window.again());
    await press(tab);
    await claimedOnce(tab);
    const loot = await assertNoSecrets(stage, tab, stage.site.origin);
    assert.ok(loot.every(({ from }) => from !== 'the window'), 'the second port stays silent');
  },

  async 'the page reads every message port'(stage) {
    const tapped = `
      const Native = MessageChannel;
      window.MessageChannel = class {
        constructor() {
          const channel = new Native();
          channel.port1.addEventListener('message', ({ data }) => record(data, 'the port'));
          return channel;
        }
      };`;
    await stage.tab.goto(hostilePage(stage, tapped));
    await passes(stage);
    const loot = await assertNoSecrets(stage, stage.tab, stage.site.origin);
    assert.ok(loot.some(({ data }) => data.t === 'done'), 'only messages for the page were read');
  },

  async 'replayed messages of the port'(stage) {
    const again = `
      const Native = MessageChannel;
      window.MessageChannel = class {
        constructor() {
          const channel = new Native();
          channel.port1.addEventListener('message', ({ data }) => setTimeout(() => channel.port1.onmessage({ data }), 5));
          return channel;
        }
      };`;
    await stage.tab.goto(hostilePage(stage, again));
    await passes(stage);
  },

  'a flood of messages': (stage) =>
    ignored(stage, `${EVERY} for (let n = 0; n < 50; n += 1) parent.postMessage({ p: 'voight/1', t: 'hello', n }, '*'); }, 20);`),

  'messages that are huge, deep or cyclic': (stage) =>
    ignored(
      stage,
      `const ring = { p: 'voight/1', t: 'hello' };
       ring.ring = ring;
       let deep = { p: 'voight/1', t: 'hello' };
       for (let n = 0; n < 2000; n += 1) deep = { p: 'voight/1', t: 'hello', deep };
       const huge = { p: 'voight/1', t: 'hello', text: 'x'.repeat(5e6) };
       for (const one of [ring, deep, huge, null, [], 'hello', 7, new Map([['t', 'hello']])]) setInterval(() => parent.postMessage(one, '*'), 200);`,
    ),

  async 'the page answers the window with a cyclic object'(stage) {
    const { tab } = stage;
    const poisoned = `
      const { postMessage } = MessagePort.prototype;
      const ring = {};
      ring.ring = ring;
      MessagePort.prototype.postMessage = function (message) {
        postMessage.call(this, message.t === 'counts' ? { t: 'counts', hostCounts: ring } : message);
      };`;
    await tab.goto(hostilePage(stage, poisoned));
    await (await claim(tab)).click();
    await press(tab);
    await untilEvent(tab, 'error');
    await assertNoSecrets(stage, tab, stage.site.origin);
    assert.deepEqual(await eventsOf(tab, 'verified'), []);
  },
};
