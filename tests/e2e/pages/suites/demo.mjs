// Page of the demo, as a visitor sees it: with a generated address, and with a wallet that signs.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openDemo } from '../lib/demo.mjs';
import { press, windowAt } from '../lib/quest.mjs';
import { environment } from '../lib/service.mjs';

/** Runs `work` on a separate demo. */
async function demo(work) {
  const { url, end } = await openDemo();
  try {
    await work(url);
  } finally {
    await end();
  }
}

/** Claims, on a page that is opened first if its address is given. @param {import('puppeteer-core').Page} tab @param {string} [address] */
async function claim(tab, address) {
  if (address) await tab.goto(address);
  await tab.waitForFunction(() => document.getElementById('quest')?.dataset.state === 'ready', { timeout: 20000 });
  await (await tab.$('#claim')).click();
}

/** Waits for the result of the claim, and reads the page's panels. */
async function outcome(tab) {
  const ended = () => {
    // A slow check asks for another click, because the activation by the first has expired.
    const resume = document.querySelector('voight-check').shadowRoot.querySelector('.panel[data-kind=done] button');
    if (resume && !resume.dataset.pressed) {
      resume.dataset.pressed = 'true';
      resume.click();
    }
    return ['claimed', 'review', 'declined'].includes(document.getElementById('quest').dataset.state);
  };
  await tab.waitForFunction(ended, { timeout: 20000, polling: 100 });
  const read = (id) => tab.$eval(`#${id} .badge`, (node) => node.textContent);
  return { receipt: await read('receipt'), verdict: await read('verdict') };
}

/** Answers the test wallet's request. @returns {Promise<string>} what it was asked to sign */
async function answerWallet(tab, button) {
  await tab.waitForSelector('#wallet-request[open]');
  const text = await tab.$eval('#wallet-text', (node) => node.textContent);
  await (await tab.$(button)).click();
  return text;
}

const shownCode = (frame) => frame.$eval('#code', (node) => node.textContent);

export const cases = {
  'the verdict, the complete receipt and the explain command are visible': ({ tab }) =>
    demo(async (url) => {
      await tab.setViewport({ width: 390, height: 844 });
      await claim(tab, `${url}/`);
      await press(tab);
      await outcome(tab);
      await tab.waitForFunction(() => {
        const { top, bottom } = document.querySelector('#verdict .finding').getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await tab.$eval('#receipt summary', (node) => node.click());
      const isClipped = await tab.$$eval('#receipt pre', (all) => all.some((node) => node.scrollHeight > node.clientHeight + 1));
      assert.equal(isClipped, false, 'the request about the receipt is cut off');
      const address = await tab.$eval('voight-check', (node) => node.eoaAddress);
      const command = await tab.$eval('#explain pre', (node) => node.textContent);
      assert.ok(command.includes('verdict explain') && command.endsWith(address), command);
      const { stdout } = await promisify(execFile)('sh', ['-c', command], { env: environment() });
      assert.match(stdout, /bot/i);
    }),

  'cards in a row have equal heights': ({ tab }) =>
    demo(async (url) => {
      await tab.setViewport({ width: 1280, height: 900 });
      await claim(tab, `${url}/`);
      const ends = () => [...document.querySelectorAll('.columns .card')].map((card) => Math.round(card.getBoundingClientRect().bottom));
      const flush = async () => {
        const [, left, right] = await tab.evaluate(ends);
        assert.equal(left, right);
      };
      await flush();
      await press(tab);
      await outcome(tab);
      await flush();
    }),

  'a generated address is claimed without a wallet signature': ({ tab }) =>
    demo(async (url) => {
      await claim(tab, `${url}/`);
      await press(tab);
      assert.deepEqual(await outcome(tab), { receipt: 'Valid', verdict: 'Bot' });
      const receipt = await tab.$eval('voight-check', (node) => node.receipt);
      const address = await tab.$eval('voight-check', (node) => node.eoaAddress);
      const secondAnswer = await tab.evaluate(
        async (body) => (await fetch('/demo/claim', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json(),
        JSON.stringify({ address, receipt, signed: false }),
      );
      assert.deepEqual([secondAnswer.outcome, secondAnswer.redeemed.body.data.status, secondAnswer.verdict], ['refused', 'used', null]);
    }),

  'a test wallet signs once': ({ tab }) =>
    demo(async (url) => {
      await claim(tab, `${url}/?wallet=test`);
      const frame = await windowAt(tab, 'sign');
      const code = await shownCode(frame);
      await (await frame.$('button[name=signButton]')).click();
      assert.ok((await answerWallet(tab, '#wallet-sign')).includes(`the code ${code}.`));
      await press(tab);
      assert.equal((await outcome(tab)).receipt, 'Valid, wallet owned');
      await (await tab.$('#claim-again')).click();
      await claim(tab);
      await press(tab);
      assert.equal((await outcome(tab)).receipt, 'Valid, wallet owned', 'the browser is remembered');
    }),

  'a test wallet that rejects can sign later or be skipped': ({ tab }) =>
    demo(async (url) => {
      await claim(tab, `${url}/?wallet=test`);
      const frame = await windowAt(tab, 'sign');
      await (await frame.$('button[name=signButton]')).click();
      await answerWallet(tab, '#wallet-reject');
      await frame.waitForSelector('button[name=signButton]');
      await (await frame.$('button[name=skip]')).click();
      await press(tab);
      assert.equal((await outcome(tab)).receipt, 'Valid');
    }),
};
