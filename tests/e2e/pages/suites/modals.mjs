// Window inside modal dialogs of the host: above them, reachable by pointer and keyboard, and closing only itself.
import { app, passesInDialog } from '../lib/hosts.mjs';
import { element, page } from '../lib/quest.mjs';

const SHOW = `
  const host = document.querySelector('#host');
  host.showModal();
  document.querySelector('#other').addEventListener('click', () => host.close());
  document.querySelector('voight-check').confirm = () => window.hold;
`;

/** @param {any} stage @param {string} attributes of the dialog */
async function passesInNativeDialog(stage, attributes) {
  stage.site.put('/show.js', SHOW);
  const dialog = `<dialog id="host" ${attributes}>${element(stage)}<button id="other">Later</button></dialog>`;
  await stage.tab.goto(page(stage, `${dialog}<script type="module" src="/show.js"></script>`));
  await passesInDialog(stage);
}

/** @param {any} stage @param {string} entry module of the app */
async function passesInReactDialog(stage, entry) {
  await stage.tab.goto(await app(stage, entry));
  await passesInDialog(stage);
}

export const cases = {
  'native modal dialog': (stage) => passesInNativeDialog(stage, ''),
  'native modal dialog with light dismiss': (stage) => passesInNativeDialog(stage, 'closedby="any"'),
  'Radix dialog': (stage) => passesInReactDialog(stage, 'radix.jsx'),
  'Headless UI dialog': (stage) => passesInReactDialog(stage, 'headless.jsx'),
  'MUI modal': (stage) => passesInReactDialog(stage, 'mui.jsx'),
};
