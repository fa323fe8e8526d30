// Substitute for the window: it greets the page, records its messages, and sends the messages of a test. It produces the
// situations that the real window does not produce on request.

import { frameWith, told } from './quest.mjs';

const SCRIPT = `
  window.heard = [];
  addEventListener('message', ({ data, ports }) => {
    if (data.t !== 'init' || window.port) return;
    heard.push(data);
    window.port = ports[0];
    port.onmessage = (event) => heard.push(event.data);
    port.postMessage({ t: 'ready', nonce: data.nonce });
  });
  parent.postMessage({ p: 'voight/1', t: 'hello' }, '*');
`;

/** A receipt that nobody has signed. @param {number} [seconds] its life */
export const receipt = (seconds = 600) =>
  ['{}', `{"iat":1000,"exp":${1000 + seconds}}`, ''].map((part) => Buffer.from(part).toString('base64url')).join('.');

/** The stage with a stand-in in the place of the service's window, on another site than the pages.
 * @template {{site: import('./site.mjs').Site}} S @param {S} stage @param {string} [script] */
export function standIn(stage, script = SCRIPT) {
  stage.site.put('/window/v1', `<!doctype html><title>A stand-in</title><body data-view="stand-in"><script>${script}</script>`);
  return { ...stage, service: { url: stage.site.origin.replace('127.0.0.1', 'localhost') } };
}

/** The stand-in that was told what the check is about. @param {import('puppeteer-core').Page} tab */
export async function greeted(tab) {
  const frame = await frameWith(tab, () => Boolean(window.port));
  if (frame) return frame;
  throw new Error(`the stand-in was told nothing; the page was told ${JSON.stringify(await told(tab))}`);
}

/** Lets the stand-in say something to the page, a moment later: what it says may be its end.
 * @param {import('puppeteer-core').Page} tab @param {...object} messages */
export async function say(tab, ...messages) {
  const later = (messages) => void setTimeout(() => messages.forEach((message) => window.port.postMessage(message)), 20);
  await (await greeted(tab)).evaluate(later, messages);
}

/** What the page told the stand-in. @param {import('puppeteer-core').Page} tab @returns {Promise<any[]>} */
export const heard = async (tab) => (await greeted(tab)).evaluate(() => window.heard);
