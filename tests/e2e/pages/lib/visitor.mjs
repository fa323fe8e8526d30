// Visitors with browser settings: larger text, forced colours, reduced motion, a dark scheme.
import { openBrowser } from './browser.mjs';
import { STATES } from './states.mjs';

/** @typedef {{dark?: boolean, forced?: boolean, calm?: boolean, fontSize?: number}} Settings */

/** @param {Settings} settings */
const chromium = ({ fontSize }) => ({ args: fontSize ? [`--blink-settings=defaultFontSize=${fontSize}`] : [] });

/** @param {Settings} settings */
const firefox = ({ dark, forced, calm, fontSize }) => ({
  extraPrefsFirefox: {
    'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1,
    'browser.display.document_color_use': forced ? 2 : 0,
    'ui.prefersReducedMotion': calm ? 1 : 0,
    ...(fontSize && { 'font.size.variable.x-western': fontSize }),
  },
});

/** Opens a browser with the settings of such a visitor. @param {'chromium' | 'firefox'} name @param {Settings} settings */
async function openVisitor(name, settings) {
  const browser = await openBrowser(name, name === 'firefox' ? firefox(settings) : chromium(settings));
  const features = [
    { name: 'prefers-color-scheme', value: settings.dark ? 'dark' : 'light' },
    { name: 'forced-colors', value: settings.forced ? 'active' : 'none' },
    { name: 'prefers-reduced-motion', value: settings.calm ? 'reduce' : 'no-preference' },
  ];
  return {
    async tab() {
      const tab = await browser.newPage();
      if (name === 'chromium') await (await tab.createCDPSession()).send('Emulation.setEmulatedMedia', { features });
      return tab;
    },
    close: () => browser.close(),
  };
}

/** Tests states with the settings of such a visitor, each in its own tab.
 * @param {Settings} settings @param {string[]} states @param {(tab: import('puppeteer-core').Page, state: string, browserName: string) => Promise<void>} look
 * @param {import('./states.mjs').How} [how] @returns {(stage: any) => Promise<void>} */
export const asVisitor = (settings, states, look, how = {}) => async (stage) => {
  const visitor = await openVisitor(stage.browserName, settings);
  try {
    for (const state of states) {
      const tab = await visitor.tab();
      await STATES[state]({ ...stage, tab }, how);
      await look(tab, state, stage.browserName);
      await tab.close();
    }
  } finally {
    await visitor.close();
  }
};
