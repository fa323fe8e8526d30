// Checks with something between the visitor and the service.
import assert from 'node:assert/strict';
import { claim, passes, untilTold } from './hosts.mjs';
import { Proxy } from './proxy.mjs';
import { element, page, told } from './quest.mjs';

/** What becomes of requests by their path: the first pattern that matches counts.
 * @typedef {[RegExp, import('./proxy.mjs').Fate][]} Rules */

/** A tab with the page, and what stands between. @param {any} stage @param {Rules} rules @param {(stage: any) => Promise<void>} act */
export async function between(stage, rules, act) {
  const proxy = await Proxy.open(stage.service);
  proxy.rule = ({ url }) => rules.find(([path]) => path.test(url))?.[1];
  const through = { ...stage, service: { url: proxy.url } };
  try {
    await stage.tab.goto(page(through, element(through)));
    await act(through);
  } finally {
    await proxy.close();
  }
}

/** The check is completed all the same. @param {any} stage @param {Rules} rules */
export const completes = (stage, rules) => between(stage, rules, passes);

/** The check ends in this error. @param {any} stage @param {string} code @param {boolean} retryable @returns {Promise<string>} its reference */
export async function ends({ tab }, code, retryable) {
  await untilTold(tab, 'error');
  const [{ detail }] = await told(tab, 'error');
  assert.deepEqual([detail.code, detail.retryable], [code, retryable]);
  return detail.reference;
}

/** The host lets its button be what it was. @param {any} stage */
export async function goesOn({ tab }) {
  await tab.$eval('voight-check', (element) => {
    element.close();
    element.disabled = true;
  });
  await (await claim(tab)).click();
  await untilTold(tab, 'claimed');
}
