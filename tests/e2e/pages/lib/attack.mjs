// Attackers, and the secrets that they obtained.
import assert from 'node:assert/strict';
import { claims } from './receipt.mjs';
import { element, page } from './quest.mjs';
import { otherName } from './site.mjs';

/** @typedef {import('puppeteer-core').Page | import('puppeteer-core').Frame} Where */

/** Records everything that an attacker receives, at its window and at every port. */
const LISTEN = `
  window.loot = [];
  const record = (data, from) => {
    loot.push({ data, from });
  };
  addEventListener('message', ({ data, origin, ports }) => {
    record(data, origin);
    for (const port of ports) port.onmessage = ({ data }) => record(data, 'a port');
  });
  const initOf = (origin, context) => ({
    p: 'voight/1', t: 'init', nonce: 'f'.repeat(32), originSite: origin + '/', contextId: context,
    eoaAddress: '0x8617E340B3D01FA5F11F306F4090FD50E238070D', hostCounts: {},
  });
  /** Talks to a window as the component does; its replies are loot. */
  const talk = (target, origin, context) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => record(data, 'the window');
    target.postMessage(initOf(origin, context), '*', [port2]);
  };
`;

/** Secrets of the window and the service. */
const SECRETS = /isBot|confidence|"score"|verdict|challenge|layoutSeed|"salt"|"pointer"|"env"|webgl|timeOrigin/i;
const RECEIPT = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/** Puts an attacker's page on the server, on another origin than the quest.
 * @param {any} stage @param {string} script @param {string} [body] @returns {string} its address */
export function attacker({ site }, script, body = '', path = '/evil') {
  site.put(`${path}.js`, LISTEN + script);
  site.put(path, `<!doctype html><title>Elsewhere</title><body>${body}<script src="${path}.js"></script></body>`);
  return otherName(site.origin) + path;
}

/** Returns an honest page with a hostile script in it. @param {any} stage @param {string} script @param {string} [body] */
export function hostilePage(stage, script, body = '', attributes = '') {
  stage.site.put('/hostile.js', LISTEN + script);
  return page(stage, `${element(stage, attributes)}${body}<script src="/hostile.js"></script>`);
}

/** Returns an honest page with an attacker's frame beside the button. @param {any} stage @param {string} script */
export async function withAttackerFrame(stage, script) {
  const evil = attacker(stage, script);
  await stage.tab.goto(page(stage, `${element(stage)}<iframe src="${evil}" width="80" height="40"></iframe>`));
  return stage.tab.waitForFrame((frame) => frame.url() === evil);
}

/** Asserts that the attacker has no secret, and no receipt except for its own origin. @param {any} stage @param {Where} where @param {string} [own] */
export async function assertNoSecrets({ service }, where, own) {
  const loot = await where.evaluate(() => JSON.stringify(window.loot));
  assert.doesNotMatch(loot, SECRETS);
  for (const receipt of loot.match(RECEIPT) ?? []) assert.equal((await claims(service, receipt)).origin, own);
  return JSON.parse(loot);
}

/** Returns the address of a window's document. @param {any} stage @param {Record<string, string>} parameters */
export const documentOf = ({ service, account }, parameters) =>
  `${service.url}/window/v1?${new URLSearchParams({ context: account.context, ...parameters })}`;

/** Creates an account whose checks only the quest's own origin may host. @param {any} stage */
export async function withRegisteredOrigin(stage, name) {
  const account = await stage.service.account(name);
  await stage.service.command('client', 'origins', name, '--set', stage.site.origin);
  return { ...stage, account };
}

/** Waits long enough for an event that must not happen. */
export const shortPause = () => new Promise((resolve) => setTimeout(resolve, 300));

/** Waits until a condition is true. @param {() => unknown} condition @param {string} what message of the failure */
export async function waitFor(condition, what) {
  for (const end = Date.now() + 15000; !(await condition()); await new Promise((resolve) => setTimeout(resolve, 20))) {
    assert.ok(Date.now() < end, what);
  }
}
