// Pages by their framework, and by their policies.
import assert from 'node:assert/strict';
import { app, claimedOnce, passes } from '../../lib/hosts.mjs';
import { claim, element, page, windowAt } from '../../lib/quest.mjs';
import { strictPolicy } from '../../lib/site.mjs';

/** @param {any} stage @param {string} entry @param {Record<string, string>} [alias] */
async function ofReact(stage, entry, alias) {
  await stage.tab.goto(await app(stage, entry, alias));
  await passes(stage);
}

/** @param {any} stage @param {Record<string, string>} headers */
async function withHeaders(stage, headers) {
  await stage.tab.goto(page(stage, element(stage), { headers }));
  await passes(stage);
}

const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** Presses by a script: Firefox's driver reaches no frame of another site in an isolated page. @param {any} stage */
async function isolated(stage) {
  const { browserName, tab } = stage;
  await tab.goto(page(stage, element(stage), { headers: ISOLATED }));
  assert.ok(await tab.evaluate(() => crossOriginIsolated));
  if (browserName !== 'firefox') return passes(stage);
  await (await claim(tab)).click();
  await (await windowAt(tab, 'first')).$eval('#press', (target) => target.click());
  await claimedOnce(tab);
}

export const pages = {
  'plain page': (stage) => withHeaders(stage, {}),
  'React 17': (stage) => ofReact(stage, 'react-17.jsx', { react: 'react-17', 'react-dom': 'react-dom-17' }),
  'React 18': (stage) => ofReact(stage, 'react.jsx', { react: 'react-18', 'react-dom': 'react-dom-18' }),
  'React 19': (stage) => ofReact(stage, 'react.jsx'),

  'strict policy with Trusted Types': (stage) =>
    withHeaders(stage, { 'content-security-policy': strictPolicy(stage.service.url) }),

  'cross-origin isolated page': isolated,
};
