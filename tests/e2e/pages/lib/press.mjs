// Presses of the wrapped button by each means, and the events that the page's listeners receive of them.

/** Events of a press. A double click is the browser's reaction to two presses. */
const TYPES = ['pointerdown', 'mousedown', 'touchstart', 'pointerup', 'mouseup', 'touchend', 'click', 'keydown', 'keypress', 'keyup', 'submit', 'change'];

/** Script of the page, before the element is defined: records the events that reach the button, its parent and the element, in both phases. */
export const LISTENERS = `<script>
  window.heard = [];
  for (const selector of ['#claim', '#inside', 'voight-check'])
    for (const type of ${JSON.stringify(TYPES)})
      for (const capture of [true, false])
        document.querySelector(selector).addEventListener(type, (event) => heard.push([event.type, selector, capture ? 'capture' : 'bubble'].join(' ')), capture);
</script>`;

/** Returns the middle of the button. @param {import('puppeteer-core').Page} tab */
async function middle(tab) {
  const { x, y, width, height } = await (await tab.$('#claim')).boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}

/** @param {string} key @returns {(tab: import('puppeteer-core').Page) => Promise<void>} */
const byKey = (key) => async (tab) => {
  await tab.focus('#claim');
  await tab.keyboard.press(key);
};

/** Presses with a pen, which only the protocol of Chromium has. @param {import('puppeteer-core').Page} tab */
async function byPen(tab) {
  const session = await tab.createCDPSession();
  const at = { ...(await middle(tab)), button: 'left', clickCount: 1, pointerType: 'pen' };
  for (const [type, buttons] of [['mousePressed', 1], ['mouseReleased', 0]]) await session.send('Input.dispatchMouseEvent', { type, buttons, ...at });
}

/** Means of pressing the button. @type {Record<string, (tab: import('puppeteer-core').Page) => Promise<void>>} */
export const MEANS = {
  mouse: async (tab) => (await tab.$('#claim')).click(),
  touch: async (tab) => (await tab.$('#claim')).tap(),
  pen: byPen,
  Enter: byKey('Enter'),
  Space: byKey(' '),
  script: (tab) => tab.$eval('#claim', (button) => button.click()),
};

/** Returns the means that the driver of a browser has. @param {string} browserName */
export const meansOf = (browserName) => Object.entries(MEANS).filter(([name]) => browserName === 'chromium' || !['touch', 'pen'].includes(name));
