// Playwright and derived libraries, with several ways of pressing.
import { FLAGS, HEADED, NEXT, curve, finish, page, sleep, somewhere, variant } from './browser.mjs';

const LIBRARIES = { patchright: 'patchright-core', patchright_curves: 'patchright-core', rebrowser: 'rebrowser-playwright-core' };

async function library() {
  if (variant !== 'stealth') return (await import(LIBRARIES[variant] ?? 'playwright-core')).chromium;
  const [{ addExtra }, plugin, { chromium }] = await Promise.all([
    import('playwright-extra'), import('puppeteer-extra-plugin-stealth'), import('playwright-core'),
  ]);
  return addExtra(chromium).use(plugin.default());
}

let at = { x: 300, y: 500 };
const PRESS = {
  click: (tab, button) => button.click(),
  evaluate: (tab, button) => button.evaluate((element) => element.click()),
  touch: (tab, button) => button.tap(),
  async keyboard(tab, button, first) {
    if (first) await tab.keyboard.press('Tab');
    await tab.keyboard.press('Enter');
  },
  async steps(tab, button) {
    const box = await button.boundingBox();
    await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 25 });
    await tab.mouse.down();
    await tab.mouse.up();
  },
  async curves(tab, button) {
    const to = somewhere(await button.boundingBox());
    for (const { x, y, wait } of curve(at, to)) {
      await tab.mouse.move(x, y);
      await sleep(wait);
    }
    at = to;
    await sleep(80 + Math.random() * 120);
    await tab.mouse.down();
    await sleep(60 + Math.random() * 70);
    await tab.mouse.up();
  },
};
const way = variant.endsWith('curves') ? 'curves' : variant;
const press = PRESS[way] ?? PRESS.click;

const browser = await (await library()).launch({ executablePath: process.env.CHROMIUM, headless: !HEADED, args: FLAGS });
try {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 };
  const context = await browser.newContext(variant === 'touch' ? phone : HEADED ? { viewport: null } : {});
  const tab = await context.newPage();
  await tab.goto(page);
  const questEnd = tab.locator('#quest[data-state="ended"]').waitFor({ timeout: 60000 }).then(() => true);
  questEnd.catch(() => {});
  const appears = (locator) => Promise.race([questEnd.catch(() => true), locator.waitFor().then(() => false, () => true)]).then((end) => !end);
  for (const [number, name] of NEXT.entries()) {
    const where = number === 0 ? tab : tab.frameLocator('voight-check iframe');
    const button = where.locator(name);
    if (!(await appears(button))) break;
    if (number === 0) await tab.waitForFunction(() => customElements.get('voight-check'));
    await press(tab, button, number === 0);
  }
  await finish(tab);
} finally {
  await browser.close();
}
