// Goes through a page as the demo's robot does, and writes down what passed between the window and the service, and what
// the browser complained about. It does so once for each further argument, which names the buttons that it presses where the
// window asks for a signature, with commas between them.
import { chromium } from 'playwright-core';

const [page, ...rounds] = process.argv.slice(2);
// The library turns off that each page's frames have storage of their own, and then they have none. The last list counts.
const features = '--disable-features=Translate';
const args = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', features];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args });
const exchanges = [];
const complaints = [];
const answers = [];

try {
  const tab = await browser.newPage();
  tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  tab.on('pageerror', (error) => complaints.push(String(error)));
  tab.on('response', (response) => {
    if (response.url().includes('/window/v1/checks')) answers.push(keep(response));
  });
  for (const buttons of rounds) {
    await tab.goto(page);
    await tab.locator('#claim').click();
    const window = tab.frameLocator('voight-check iframe');
    // Whenever a wallet was asked, the dialog becomes modal again; a press before the browser has laid it out anew is lost, and no
    // hand is that quick.
    for (const name of buttons.split(',').filter(Boolean)) {
      const button = window.getByRole('button', { name });
      await button.waitFor();
      await tab.waitForTimeout(500);
      await button.click();
    }
    if (buttons) await tab.waitForTimeout(500);
    for (const target of ['first', 'second']) await window.locator(`#press[data-role="${target}"]`).click();
    const end = tab.locator('#quest[data-state="claimed"]');
    // After a slow check the page asks for another click.
    const resume = tab.getByRole('button', { name: 'Continue' });
    await resume.or(end).first().waitFor();
    if (await resume.isVisible()) await resume.click();
    await end.waitFor();
  }
  await Promise.all(answers);
} finally {
  await browser.close();
}
console.log(JSON.stringify({ exchanges, complaints }));

/** @param {import('playwright-core').Response} response */
async function keep(response) {
  const request = response.request();
  const at = exchanges.push({ path: new URL(request.url()).pathname, headers: request.headers(), body: request.postData() ?? '' }) - 1;
  exchanges[at].status = response.status();
  exchanges[at].answer = await response.text().catch(() => '');
}
