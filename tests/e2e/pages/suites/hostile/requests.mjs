// Calls to the service from outside of a window.
import assert from 'node:assert/strict';
import { assertNoSecrets, attacker, documentOf, hostilePage, shortPause, waitFor } from '../../lib/attack.mjs';
import { passes } from '../../lib/hosts.mjs';
import { ADDRESS } from '../../lib/quest.mjs';
import { otherName } from '../../lib/site.mjs';

/** Returns the number of calls that the service rejected because of their origin. @param {any} stage */
async function refusals({ service }) {
  const text = await (await fetch(`http://127.0.0.1:${service.adminPort}/metrics`)).text();
  return Number(text.match(/reason="cross_origin"\} (\d+)/)?.[1] ?? 0);
}

/** All ways in which a page can send a request. @param {any} stage */
const SENDS = ({ service, account, site }) => `
  const checks = '${service.url}/window/v1/checks';
  const body = JSON.stringify({ context: '${account.context}', address: '${ADDRESS}', origin: '${site.origin}', originSite: '${site.origin}/' });
  const read = (mode, type) => fetch(checks, { method: 'POST', mode, body, headers: { 'content-type': type } })
    .then(async (answer) => record({ type: answer.type, text: await answer.text() }, 'fetch'), (cause) => record(String(cause), 'fetch'));
  window.send = async () => {
    await read('cors', 'application/json');
    await read('cors', 'text/plain');
    await read('no-cors', 'text/plain');
    navigator.sendBeacon(checks, body);
    const form = document.createElement('form');
    Object.assign(form, { method: 'POST', action: checks, enctype: 'text/plain', target: 'sink' });
    form.append(Object.assign(document.createElement('input'), { name: body.slice(0, -1) + ',"x":"', value: '"}' }));
    document.body.append(form, Object.assign(document.createElement('iframe'), { name: 'sink' }));
    form.submit();
    const request = new XMLHttpRequest();
    request.open('POST', checks);
    request.onerror = () => record('refused', 'xhr');
    request.onload = () => record(request.responseText, 'xhr');
    request.send(body);
  };`;

/** @param {any} stage @param {string} address */
async function sends(stage, address) {
  const refusalsBefore = await refusals(stage);
  await stage.tab.goto(address);
  await stage.tab.evaluate(() => window.send());
  await waitFor(async () => (await refusals(stage)) - refusalsBefore >= 3, 'what arrives is refused');
  await shortPause();
  const loot = await assertNoSecrets(stage, stage.tab);
  assert.ok(loot.every(({ data }) => !data.text), 'no answer can be read');
}

export const requests = {
  async 'the page sends a request to open a check'(stage) {
    await sends(stage, hostilePage(stage, SENDS(stage)));
    await stage.tab.goto(`${stage.site.origin}/`);
    await passes(stage);
  },

  "an attacker's page sends a request to open a check": (stage) => sends(stage, attacker(stage, SENDS(stage))),

  async "an attacker's page imports the window's modules"(stage) {
    const { tab, service } = stage;
    const load = `window.load = () => Promise.all(['window', 'stub', 'work-worker', 'locales/en'].map((name) =>
      import('${service.url}/window/v1/' + name + '.js').then(() => record(name, 'import'), () => {})));`;
    await tab.goto(attacker(stage, load));
    await tab.evaluate(() => window.load().then(() => {}));
    assert.deepEqual(await assertNoSecrets(stage, tab), [], 'none of them is loaded');
  },

  async "a page fetches the window's document"(stage) {
    const address = documentOf(stage, { origin: otherName(stage.site.origin) });
    const read = `window.read = () => fetch('${address}').then((answer) => answer.text()).then((text) => record(text, 'fetch'), () => {});`;
    await stage.tab.goto(attacker(stage, read));
    await stage.tab.evaluate(() => window.read());
    assert.deepEqual(await assertNoSecrets(stage, stage.tab), []);
  },

  async 'the page requests a verdict'(stage) {
    const { tab, service, account } = stage;
    const path = `/api/v1/users/eoa?eoa_address=${ADDRESS}&context_id=${account.context}`;
    const read = `window.read = () => fetch('${service.url}${path}', { headers: { 'x-api-key': '${account.key}' } })
      .then((answer) => answer.text()).then((text) => record(text, 'fetch'), () => {});`;
    await tab.goto(attacker(stage, read));
    await tab.evaluate(() => window.read());
    assert.deepEqual(await assertNoSecrets(stage, tab), [], 'not even with a key that leaked');
  },
};
