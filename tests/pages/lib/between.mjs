// Checks with a proxy between the visitor and the service.
import { passes } from './hosts.mjs';
import { proxied } from './proxy.mjs';
import { element, page } from './quest.mjs';

/** What becomes of requests by their path: the first pattern that matches counts.
 * @typedef {[RegExp, import('./proxy.mjs').Fate][]} Rules */

/** A tab with the page, and what stands between. @param {any} stage @param {Rules} rules @param {(stage: any) => Promise<void>} act */
export const between = (stage, rules, act) =>
  proxied(stage, async (proxy, through) => {
    proxy.rule = ({ url }) => rules.find(([path]) => path.test(url))?.[1];
    await stage.tab.goto(page(through, element(through)));
    await act(through);
  });

/** The check is completed all the same. @param {any} stage @param {Rules} rules */
export const completes = (stage, rules) => between(stage, rules, passes);
