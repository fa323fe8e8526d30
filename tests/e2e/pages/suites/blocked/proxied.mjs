// Proxies that change requests or responses.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { between, completes } from '../../lib/between.mjs';
import { refused } from '../../lib/hosts.mjs';
import { press } from '../../lib/quest.mjs';

const CHECK = /^\/window\/v1\/checks/;
const DOCUMENT = /^\/window\/v1\?/;
const PAGE = { 'content-type': 'text/html' };

const respaced = (text) => JSON.stringify(JSON.parse(text), null, 2);
const scripted = (text) => text.replace('</body>', '<script>document.body.remove()</script></body>');

/** Asserts that the check ends in this error. @param {any} stage @param {RegExp} path @param {import('../../lib/proxy.mjs').Fate} fate @param {string} code @returns {Promise<string>} its reference */
async function ends(stage, path, fate, code) {
  let reference = '';
  const roles = path.test('/window/v1/checks') ? [] : ['first'];
  await between(stage, [[path, fate]], async ({ tab }) => {
    reference = await refused(tab, code, true, () => press(tab, roles));
  });
  return reference;
}

/** Asserts that the operator finds the reference. @param {any} stage @param {string} reference */
async function logged({ service }, reference) {
  assert.match(reference, /^[0-9a-f]{32}$/);
  assert.ok((await service.log()).includes(reference), "the reference is in the operator's log");
}

export const proxied = {
  'a proxy removes the x-voight headers': async (stage) =>
    logged(stage, await ends(stage, /\/evidence/, { stripped: /^x-voight/ }, 'check_failed')),

  'a proxy removes Origin, Referer and Sec-Fetch headers': (stage) => completes(stage, [[CHECK, { stripped: /^(origin|referer|sec-fetch-.*)$/ }]]),

  'a proxy replaces the Host header': async (stage) =>
    logged(stage, await ends(stage, CHECK, { host: 'backend.internal' }, 'check_failed')),

  'a proxy removes response headers': (stage) => completes(stage, [[CHECK, { withheld: /^(x-|cache-control)/ }]]),

  'a proxy compresses responses': (stage) =>
    completes(stage, [[/./, { withheld: /^etag$/, headers: { 'content-encoding': 'gzip' }, rewritten: (text) => gzipSync(text) }]]),

  'a proxy reformats JSON': (stage) => completes(stage, [[CHECK, { rewritten: respaced }]]),
  'a proxy injects a script into the window': (stage) => completes(stage, [[DOCUMENT, { rewritten: scripted }]]),

  'a proxy responds with an HTML page': (stage) =>
    ends(stage, CHECK, { status: 403, headers: PAGE, body: '<h1>Prove it</h1>' }, 'internal'),

  'a proxy responds with 429': (stage) => ends(stage, CHECK, { status: 429, headers: PAGE, body: '' }, 'rate_limited'),
};
