// Plain page, from its click to its claim.
import assert from 'node:assert/strict';
import { ADDRESS, complete, element, page, eventsOf, untilState } from '../lib/quest.mjs';
import { strictPolicy } from '../lib/site.mjs';

export const cases = {
  async 'a check is completed and the click runs once'(stage) {
    const { service, account, tab } = stage;
    await tab.goto(page(stage, element(stage), { headers: { 'content-security-policy': strictPolicy(service.url) } }));
    await complete(tab);
    await untilState(tab, 'verified');
    await tab.waitForFunction(() => window.events.some((one) => one.name === 'claimed'));
    const names = (await eventsOf(tab)).map((one) => (one.name === 'statechange' ? one.detail : one.name));
    assert.deepEqual(names, ['opening', 'checking', 'press', 'confirming', 'press', 'confirming', 'verified', 'verified', 'claimed']);
    assert.equal((await service.verdict(account, ADDRESS)).isBot, true, 'a driven browser is a bot');
  },
};
