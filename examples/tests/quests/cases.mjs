// Test cases of every quest.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { freePort } from '../../../tests/e2e/pages/lib/service.mjs';
import { end, run, start } from './shell.mjs';
import { Wallet } from '../../../tests/e2e/pages/lib/wallet.mjs';
import { check, checkBeforeChange, signedCheck, visit } from './visitor.mjs';

const START_MS = 30000;
// Addresses for which a sandbox key returns the verdicts human, bot, unsure and unknown.
const PERSON = '0x1111111111111111111111111111111111111111';
const BOT = '0x2222222222222222222222222222222222222222';
const UNSURE = '0x3333333333333333333333333333333333333333';
const UNCHECKED = '0x52908400098527886E0F7030069857D2E4169EE7';
const FORGED = 'eyJhbGciOiJFZERTQSJ9.e30.AAAA';

/** Returns the headers of a webhook by Standard Webhooks. @param {string} secret @param {string} body */
function signWebhook(secret, body) {
  const [id, timestamp] = ['event', String(Math.floor(Date.now() / 1000))];
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

const claims = (receipt) => JSON.parse(Buffer.from(receipt.split('.')[1], 'base64url'));

/** Returns the cases by title. @param {import('./stage.mjs').Stage} stage */
export const cases = (stage) => ({
  async 'a person gets the badge, and the API key stays on the server'() {
    const questVisit = await visit(stage.browser, stage.platform.url, PERSON);
    assert.deepEqual([questVisit.status, questVisit.message], [200, 'The badge is yours.']);
    assert.deepEqual(await stage.platform.holders(), [PERSON]);
    const leakedTexts = questVisit.seen.filter((text) => text.includes(stage.variables.VOIGHT_API_KEY));
    assert.ok(questVisit.seen.length > 1 && leakedTexts.length === 0, `${leakedTexts.length} of ${questVisit.seen.length} responses contain the key`);
    stage.used = questVisit.receipt;
  },

  async 'a bot that skips the window gets nothing'() {
    const fresh = await check(stage.browser, stage.platform.url, BOT);
    const skippedSteps = {
      'no receipt': { address: UNCHECKED },
      'an empty one': { address: UNCHECKED, receipt: '' },
      'a forged one': { address: UNCHECKED, receipt: FORGED },
      'a used one': { address: PERSON, receipt: stage.used },
      'one for another wallet': { address: PERSON, receipt: fresh },
    };
    for (const [title, claim] of Object.entries(skippedSteps)) assert.equal(await stage.platform.claim(claim), 403, title);
    assert.deepEqual(await stage.platform.holders(), [PERSON]);
  },

  async 'a flagged wallet gets nothing and no reason'() {
    const { status, message } = await visit(stage.browser, stage.platform.url, BOT);
    assert.equal(status, 403);
    assert.doesNotMatch(message, /bot|robot|human/i);
  },

  async 'a wallet without evidence is queued for review'() {
    for (const wallet of [UNSURE, UNCHECKED]) assert.equal((await visit(stage.browser, stage.platform.url, wallet)).status, 202, wallet);
    assert.deepEqual(await stage.platform.holders(), [PERSON]);
  },

  ...(stage.ticket && {
    async 'a signed-in visitor gets a receipt with ownership'() {
      const variables = { ...stage.variables, PORT: new URL(stage.platform.url).port };
      const [link] = (await run(stage.ticket, stage.folder, variables)).match(/http:\S+/);
      const visited = await visit(stage.browser, link);
      assert.equal(visited.status, 200);
      assert.equal(claims(visited.receipt).owned, true);
      const stranger = await fetch(`${link}x`, { redirect: 'manual' });
      assert.equal(stranger.status, 403, 'a ticket of another visitor');
    },
  }),

  ...(stage.connectsWallets && {
    async 'a connected wallet signs by the library'() {
      const wallet = new Wallet();
      await stage.requireProof('always');
      const receipt = await signedCheck(stage.browser, stage.platform.url, wallet);
      assert.equal(claims(receipt).owned, true);
      assert.equal(wallet.asked.length, 1);
      await stage.requireProof('never');
    },

    async 'another account in the wallet begins without a receipt'() {
      const component = await checkBeforeChange(stage.browser, stage.platform.url, [PERSON, BOT]);
      assert.deepEqual([component.state, component.receipt, component.eoaAddress.toLowerCase()], ['idle', null, BOT]);
    },
  }),

  ...(stage.webhookSecret && {
    async 'a flagged wallet loses its badge, and forged webhooks change nothing'() {
      const flag = (context_id) => JSON.stringify({
        id: 'event', type: 'verdict.flagged', timestamp: new Date().toISOString(), data: { context_id, eoa_address: PERSON, isBot: true },
      });
      const body = flag(stage.variables.VOIGHT_CONTEXT);
      const forged = signWebhook(`whsec_${Buffer.alloc(32).toString('base64')}`, body);
      assert.equal(await stage.platform.sendWebhook(forged, body), 401);
      const otherQuest = flag('other.01kanc5xt6f3vq0d9g8m2y7rwb');
      assert.equal(await stage.platform.sendWebhook(signWebhook(stage.webhookSecret, otherQuest), otherQuest), 204);
      assert.deepEqual(await stage.platform.holders(), [PERSON]);
      assert.equal(await stage.platform.sendWebhook(signWebhook(stage.webhookSecret, body), body), 204);
      assert.deepEqual(await stage.platform.holders(), []);
    },
  }),

  async 'an automated browser is flagged by its check and gets nothing'() {
    const platform = await stage.open(stage.start, await stage.live());
    assert.equal((await visit(stage.browser, platform.url, UNCHECKED)).status, 403);
    assert.deepEqual(await platform.holders(), []);
  },

  // Some back ends retry for several seconds before they give up.
  ...(process.env.VOIGHT_FULL && {
    async 'no visitor gets the badge while the service is unreachable'() {
      const platform = await stage.open(stage.start, stage.variables);
      const receipt = await check(stage.browser, platform.url, PERSON);
      await stage.service.pause();
      assert.equal(await platform.claim({ address: PERSON, receipt }), 503);
      assert.deepEqual(await platform.holders(), []);
      await stage.service.resume();
    },
  }),

  async 'a missing variable is named at the start'() {
    for (const missing of ['VOIGHT_URL', 'VOIGHT_API_KEY', 'VOIGHT_CONTEXT']) {
      const running = start(stage.start, stage.folder, { ...stage.variables, [missing]: '', PORT: String(await freePort()) });
      const tooLong = setTimeout(() => end(running), START_MS);
      const code = await running.ended;
      clearTimeout(tooLong);
      assert.ok(code > 0, `it starts without ${missing}`);
      assert.match(running.output, new RegExp(`${missing} is not set: export it`));
    }
  },
});
