// Children that a browser activates in its own ways: links, labels, fields, forms, and texts.
import assert from 'node:assert/strict';
import { connectedFake, fakeWindow, receipt, sendFromFake } from '../../lib/fake-window.mjs';
import { element, untilState, visit } from '../../lib/quest.mjs';

/** Script that records what a page does with an activation. */
const RECORDER = `<script>
  window.done = [];
  for (const type of ['submit', 'change', 'input'])
    document.querySelector('voight-check').addEventListener(type, (event) => {
      if (type === 'submit') event.preventDefault();
      done.push(type + ' ' + (event.submitter?.value ?? event.target.value ?? event.target.id));
    });
</script>`;

/** Opens a check by an act on this child, asserts that nothing happened, and returns what happened after it.
 * @param {any} stage @param {string} child @param {(tab: import('puppeteer-core').Page) => Promise<unknown>} act @param {string} [outside] */
async function after(stage, child, act, outside = '') {
  const { tab } = stage;
  await visit(stage, element(fakeWindow(stage)).replace(/<button.*button>/, child) + outside + RECORDER);
  await act(tab);
  await connectedFake(tab);
  assert.deepEqual(await tab.evaluate(() => window.done), []);
  await sendFromFake(tab, { t: 'done', receipt: receipt() });
  await untilState(tab, 'verified');
  await tab.waitForFunction(() => !document.querySelector('voight-check').shadowRoot.querySelector('dialog').open);
  await tab.waitForFunction(() => window.done.length > 0);
  return tab.evaluate(() => window.done);
}

const enter = async (tab) => {
  await tab.focus('input');
  await tab.keyboard.press('Enter');
};

export const parts = {
  async 'a form inside the element is submitted once, by Enter in its field'(stage) {
    const button = '<form><input><button value="badge">Claim</button></form>';
    assert.deepEqual(await after(stage, button, enter), ['submit badge']);
    assert.deepEqual(await after(stage, '<form id="plain"><input></form>', enter), ['submit plain']);
  },

  async 'a form inside the element is submitted once, by a button outside it'(stage) {
    const outside = '<button form="plain" id="outer" value="outer">Claim</button>';
    assert.deepEqual(await after(stage, '<form id="plain"></form>', (tab) => tab.click('#outer'), outside), ['submit outer']);
  },

  async 'a checkbox changes once, by its label inside or outside the element'(stage) {
    const box = '<input type="checkbox" id="box" value="box">';
    const changes = ['input box', 'change box'];
    assert.deepEqual(await after(stage, `${box}<label for="box" id="label">Claim</label>`, (tab) => tab.click('#label')), changes);
    assert.deepEqual(await after(stage, box, (tab) => tab.click('#label'), '<label for="box" id="label">Claim</label>'), changes);
    assert.equal(await stage.tab.$eval('#box', (field) => field.checked), true);
  },

  async 'a choice in a list changes once'(stage) {
    const list = '<select id="list"><option>none</option><option>badge</option></select>';
    const choose = async (tab) => {
      await tab.focus('#list');
      await tab.keyboard.press('ArrowDown');
    };
    assert.deepEqual(await after(stage, list, choose), ['input badge', 'change badge']);
  },

  async 'a text without an element is a part of the element'(stage) {
    const heard = `<script>document.querySelector('voight-check').addEventListener('click', () => done.push('click'))</script>`;
    assert.deepEqual(await after(stage, 'Claim', (tab) => tab.mouse.click(20, 15), heard), ['click']);
  },

  async 'a drawing is pressed'(stage) {
    const drawing = '<svg width="40" height="40"><rect id="rect" width="40" height="40"/></svg>';
    const heard = `<script>document.querySelector('svg').addEventListener('click', () => done.push('click'))</script>`;
    assert.deepEqual(await after(stage, drawing, (tab) => tab.click('#rect'), heard), ['click']);
  },

  async 'a link opened with the middle button is held'(stage) {
    const { tab, site } = stage;
    site.put('/prize', '<!doctype html><title>The prize</title>');
    await visit(stage, element(fakeWindow(stage)).replace(/<button.*button>/, '<a id="claim" href="/prize">Claim</a>'));
    const pages = async () => (await stage.browser.pages()).length;
    const count = await pages();
    await (await tab.$('#claim')).click({ button: 'middle' });
    await connectedFake(tab);
    assert.equal(await pages(), count);
    await sendFromFake(tab, { t: 'done', receipt: receipt() });
    await tab.waitForFunction(() => document.title === 'The prize');
  },
};
