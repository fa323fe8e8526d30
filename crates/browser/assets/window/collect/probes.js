/** Signs of a driver, searched when the window loads and again when evidence is submitted: some appear late. */

import { tapped } from './taps.js';

const GLOBAL =
  /^(cdc_|\$cdc_|\$chrome_asyncScriptInfo|__playwright|__pw|__puppeteer|puppeteer|__webdriver|__selenium|_selenium|__driver|__fxdriver|__nightmare|_phantom|callPhantom|callSelenium|_Selenium|domAutomation|awesomium|spawn|ret_nodes|se_exportedFunctionSymbol|__utilityScript|__stagehand|__browserUse|__nodriver|__lastWatir|__\$webdriverAsync|calledSelenium)/;
const DOCUMENT = /^(\$|cdc_|__|selenium|webdriver|driver)/;
const LIMIT = 32;

/** @param {object} from @param {RegExp} pattern */
const names = (from, pattern) =>
  Reflect.ownKeys(from)
    .map((key) => (typeof key === 'symbol' ? (key.description ?? '') : key))
    .filter((key) => pattern.test(key))
    .slice(0, LIMIT)
    .map((key) => key.slice(0, 64));

/** Counts the calls of an error's formatter and the reads of its name while the error is logged: an attached debugger adds to both. */
function traps() {
  const counts = { prepare: 0, name: 0 };
  const errors = /** @type {any} */ (Error);
  const before = Object.getOwnPropertyDescriptor(errors, 'prepareStackTrace');
  errors.prepareStackTrace = (/** @type {Error} */ error) => {
    counts.prepare += 1;
    return String(error);
  };
  console.debug(new Error(''));
  if (before) Object.defineProperty(errors, 'prepareStackTrace', before);
  else delete errors.prepareStackTrace;

  const named = new Error('');
  Object.defineProperty(named, 'name', {
    get() {
      counts.name += 1;
      return 'Error';
    },
  });
  console.debug(named);
  return counts;
}

export const probe = () => ({
  globals: names(globalThis, GLOBAL),
  documentKeys: names(document, DOCUMENT),
  debugger: traps(),
  stacks: tapped(),
});
