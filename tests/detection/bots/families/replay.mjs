// Batches of a browser, recorded and posted again.
import { chromium } from 'playwright-core';
import { FLAGS, finish, page, variant } from './browser.mjs';
import { ADDRESS, CONTEXT, check, open, visit } from './protocol.mjs';

/** Completes the page for another address, and returns the batches that the window sent. */
async function record() {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
  try {
    const tab = await browser.newPage();
    const requests = [];
    tab.on('request', (request) => request.url().includes('/window/v1/checks/') && requests.push(request));
    const otherAddress = `0x${'7'.repeat(40 - 12)}${Date.now().toString(16).padStart(12, '0')}`;
    await tab.goto(page.replace(ADDRESS, otherAddress));
    await tab.waitForFunction(() => customElements.get('voight-check'));
    await tab.locator('#claim').click();
    for (const target of ['first', 'second']) {
      await tab.frameLocator('voight-check iframe').locator(`#press[data-role="${target}"]`).click();
    }
    await finish(tab);
    const evidence = requests.filter((request) => request.url().endsWith('/evidence'));
    const headers = evidence[0].headers();
    return {
      id: new URL(evidence[0].url()).pathname.split('/').at(-2),
      proof: { 'x-voight-challenge': headers['x-voight-challenge'], 'x-voight-work': headers['x-voight-work'] },
      batches: evidence.map((request) => request.postDataJSON()),
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => /^(user-agent|accept|sec-)/.test(name))),
    };
  } finally {
    await browser.close();
  }
}

/** Moves all positions of a batch from its own target to the current one. */
function move(batch, role, place) {
  const [stage, target] = [batch.layout.find((box) => box.role === 'stage'), batch.layout.findLast((box) => box.role === role)];
  const [x, y] = [stage.x + place.x * (stage.w - target.w), stage.y + place.y * (stage.h - target.h)].map(Math.round);
  const [dx, dy] = [x - target.x, y - target.y];
  for (const box of batch.layout) if (box.role === role) [box.x, box.y] = [x, y];
  if (batch.pointer.length > 0) [[2, dx], [3, dy], [4, dx], [5, dy]].forEach(([column, by]) => (batch.pointer[0][column] += by));
}

const recording = await record();
await visit(async () => {
  const secondCheck = variant === 'same' ? check(recording.id, { ...recording.headers, ...recording.proof }) : await open(recording.headers);
  const [first, second] = recording.batches;
  for (const { ctx } of [first, second]) Object.assign(ctx, { contextId: CONTEXT, address: ADDRESS });
  if (variant === 'moved') move(first, 'first', secondCheck.place);
  const { step } = await secondCheck.evidence(first);
  second.ctx.answer = step.token;
  if (variant === 'moved' && step.kind === 'press') move(second, 'second', step);
  await secondCheck.evidence(second);
  await secondCheck.complete();
});
