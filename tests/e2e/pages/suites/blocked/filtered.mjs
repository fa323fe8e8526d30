// Content blockers and networks that block requests.
import assert from 'node:assert/strict';
import { between, completes } from '../../lib/between.mjs';
import { refused, untilEvent } from '../../lib/hosts.mjs';
import { element, page } from '../../lib/quest.mjs';

const OTHER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';

/** Asserts the error of a silent window. A browser that does not report a failed load detects it after eight seconds only. @param {any} stage @param {import('../../lib/between.mjs').Rules} rules */
const isSilent = (stage, rules) =>
  between(stage, rules, () => refused(stage.tab, 'window_blocked', true));

/** Asserts the error of a blocked path, which is detected at once. @param {any} stage @param {RegExp} path */
const isAway = (stage, path) => between(stage, [[path, 'drop']], () => refused(stage.tab, 'network', true));

export const filtered = {
  "the component's script is blocked"(stage) {
    return between(stage, [[/voight\.js/, 'drop']], async () => {
      const { tab, service, account } = stage;
      await (await tab.$('#claim')).click();
      await untilEvent(tab, 'claimed');
      assert.equal(await tab.$eval('voight-check', (element) => element.receipt), undefined, 'there is no receipt to redeem');
      assert.equal((await service.verdict(account, OTHER)).isBot, false, 'and nothing is held against the address');
    });
  },

  "the component's second script is blocked": (stage) => isAway(stage, /dialog\.js/),
  "the worker's script is blocked": (stage) => completes(stage, [[/work-worker\.js/, 'drop']]),
  'calls to the service are blocked': (stage) => isAway(stage, /\/checks/),
};

export const silent = {
  "the page's policy forbids frames": async (stage) => {
    const headers = { 'content-security-policy': "frame-src 'none'" };
    await stage.tab.goto(page(stage, element(stage), { headers }));
    await refused(stage.tab, 'frame_forbidden', false);
  },

  "the network blocks the window's document": (stage) => isSilent(stage, [[/^\/window\/v1\?/, 'drop']]),
  "the window's script is blocked": (stage) => isSilent(stage, [[/\/window\.js/, 'drop']]),
  'a proxy responds in place of the window': (stage) =>
    isSilent(stage, [[/^\/window\/v1\?/, { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' }]]),
};
