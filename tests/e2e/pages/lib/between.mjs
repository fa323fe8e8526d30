// Checks with a proxy between the visitor and the service.
import { passes } from './hosts.mjs';
import { proxied } from './proxy.mjs';
import { element, page } from './quest.mjs';

/** Fates of requests by path: the first matching pattern applies.
 * @typedef {[RegExp, import('./proxy.mjs').Fate][]} Rules */

/** Runs with a tab on the page, with a proxy between it and the service. @param {any} stage @param {Rules} rules @param {(stage: any) => Promise<void>} act */
export const between = (stage, rules, act) =>
  proxied(stage, async (proxy, through) => {
    proxy.rule = ({ url }) => rules.find(([path]) => path.test(url))?.[1];
    await stage.tab.goto(page(through, element(through)));
    await act(through);
  });

/** Asserts that the check is completed in spite of the proxy. @param {any} stage @param {Rules} rules */
export const completes = (stage, rules) => between(stage, rules, passes);
