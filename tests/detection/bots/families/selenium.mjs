// Selenium from Node.js.
import { Builder, By } from 'selenium-webdriver';
import { Options, ServiceBuilder } from 'selenium-webdriver/chrome.js';
import { FLAGS, NEXT, page, sleep } from './browser.mjs';

const options = new Options().addArguments(...FLAGS, '--headless=new');
options.setChromeBinaryPath(process.env.CHROMIUM);
const service = new ServiceBuilder(process.env.CHROMEDRIVER);
const driver = await new Builder().forBrowser('chrome').setChromeOptions(options).setChromeService(service).build();
try {
  await driver.get(page);
  await driver.wait(() => driver.executeScript("return Boolean(customElements.get('voight-check'))"));
  let last = -1;
  for (let tries = 0; tries < 400; tries += 1) {
    await driver.switchTo().defaultContent();
    if ((await driver.findElements(By.css('#quest[data-state="ended"]'))).length > 0) break;
    last = await next(last).catch(() => last);
    await sleep(80);
  }
} finally {
  await driver.quit();
}

/** Presses the next element, if it exists. */
async function next(last) {
  for (const [number, name] of NEXT.entries()) {
    if (number <= last) continue;
    if (number > 0) {
      await driver.switchTo().defaultContent();
      const root = await driver.findElement(By.css('voight-check')).getShadowRoot();
      await driver.switchTo().frame(await root.findElement(By.css('iframe')));
    }
    const [button] = await driver.findElements(By.css(name));
    if (!button) continue;
    await button.click();
    return number;
  }
  await driver.switchTo().defaultContent();
  const root = await driver.findElement(By.css('voight-check')).getShadowRoot();
  for (const button of await root.findElements(By.css('.panel:not([hidden]) button'))) {
    if ((await button.getText()) === 'Continue') await button.click();
  }
  return last;
}
