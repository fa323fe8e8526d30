// False claims of a page about its own origin.
import assert from 'node:assert/strict';
import { documentOf, withRegisteredOrigin } from '../../lib/attack.mjs';
import { passes } from '../../lib/hosts.mjs';
import { element, page } from '../../lib/quest.mjs';

/** Spellings of an origin other than the registered one, or other than a browser's. @param {string} origin */
const originSpellings = (origin) => {
  const { host, hostname, port } = new URL(origin);
  return [
    `http://user@${host}`,
    `http://${host}@evil.example`,
    `HTTP://${host}`,
    `http://${host}/`,
    `http://${host}?`,
    `http://${host}#`,
    `http://${host}.`,
    `http://${hostname}.:${port}`,
    `http://${hostname}:0${port}`,
    `http://${hostname}`,
    `https://${host}`,
    `http://${host}:80`,
    `http:\\\\${host}`,
    `http://2130706433:${port}`,
    `http://0x7f000001:${port}`,
    `http://0177.0.0.1:${port}`,
    `http://127.1:${port}`,
    `http://[::ffff:127.0.0.1]:${port}`,
    `http://localhost:${port}`,
    `http://LOCALHOST:${port}`,
    `http://${host},http://evil.example`,
    `http://${host} http://evil.example`,
    `http://${host}; frame-ancestors *`,
    `http://${host}\r\nx-evil: 1`,
    `http://${host}\u0000`,
    `http://*:${port}`,
    'http://*',
    '*',
    "'self'",
    'http:',
    'null',
    'file://',
    'data:',
    'about:srcdoc',
    `blob:${origin}`,
    'https://quest.example:443',
    'https://bücher.example',
    'https://xn--bcher-kva.example',
    'https://quest。example',
    '',
  ];
};

/** @param {any} stage @param {Record<string, string>} parameters */
async function asked(stage, parameters) {
  const answer = await fetch(documentOf(stage, parameters));
  const status = (await answer.text()).match(/data-status="(\w+)"/)?.[1];
  return { status, policy: answer.headers.get('content-security-policy') ?? '', evil: answer.headers.get('x-evil') };
}

export const origins = {
  async 'other spellings of the origin parameter'(stage) {
    const strict = await withRegisteredOrigin(stage, 'spellings');
    const { origin } = stage.site;
    for (const trick of originSpellings(origin)) {
      const { status, evil } = await asked(strict, { origin: trick });
      assert.deepEqual([status, evil], ['origin_not_allowed', null], trick);
    }
    assert.equal((await asked(strict, { origin })).status, 'ok');
    await stage.tab.goto(page(strict, element(strict)));
    await passes(strict);
  },

  async 'other spellings of the outer origins'(stage) {
    const strict = await withRegisteredOrigin(stage, 'above');
    const { origin } = stage.site;
    for (const trick of originSpellings(origin).filter((trick) => trick !== '')) {
      const { status, evil } = await asked(strict, { origin, within: trick });
      assert.deepEqual([status, evil], ['origin_not_allowed', null], trick);
    }
  },

  async 'an invalid origin for a client without registered origins'(stage) {
    for (const trick of ['*', 'http://*', "'none'", 'http://a b', 'http://a;b', 'http://a,b', 'null']) {
      assert.equal((await asked(stage, { origin: trick })).status, 'origin_not_allowed', trick);
    }
    const { policy } = await asked(stage, { origin: 'https://quest.example' });
    assert.match(policy, /frame-ancestors https:\/\/quest\.example$/);
  },
};
