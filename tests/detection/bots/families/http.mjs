// Requests of Node.js that follow the documented protocol, with evidence that can be invented within an hour.
import { AGENT, variant } from './browser.mjs';
import { ADDRESS, CONTEXT, POINTER_DELTAS, TARGET, corner, deltas, layout, open, row, sleep, visit } from './protocol.mjs';

const HEADERS = {
  'user-agent': AGENT,
  accept: '*/*',
  'accept-language': 'en-US,en;q=0.9',
  'sec-ch-ua': '"Chromium";v="156", "Not?A_Brand";v="24"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
};
const ENV = { ua: AGENT, platform: 'Linux x86_64', languages: ['en-US', 'en'], webdriver: { value: false, own: false, inPrototype: true } };

/** Straight path to the centre of a target, with a click there. */
function straight(role, from, at, began) {
  const to = { x: at.x + TARGET.w / 2, y: at.y + TARGET.h / 2 };
  const steps = 20;
  const rows = Array.from({ length: steps }, (_, step) => {
    const share = (step + 1) / steps;
    return row(0, began + step * 16, { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share });
  });
  const end = began + steps * 16;
  const of = { role: role === 'first' ? 1 : 2 };
  rows.push(row(1, end, to, { ...of, buttons: 1, pressure: 500 }), row(2, end + 80, to, of), row(6, end + 81, to, { ...of, flags: 3 | (1 << 2) }));
  return { rows: deltas(rows, POINTER_DELTAS), end: end + 90, to };
}

/** Click without a pointer and without a position. */
const click = (role, t) => [row(6, t, { x: 0, y: 0 }, { role: role === 'first' ? 1 : 2, flags: 1 })];

await visit(async () => {
  const check = await open(variant === 'headers' ? HEADERS : {});
  const ctx = (batch, answer) => ({ contextId: CONTEXT, address: ADDRESS, batch, clientVersion: '1', ...(answer && { answer }) });
  if (variant === 'bare') {
    const { step } = await check.evidence({ v: 1, ctx: ctx(1) });
    await check.evidence({ v: 1, ctx: ctx(2, step.token) });
    return check.complete();
  }
  const clock = (submit) => ({ timeOrigin: Date.now() - 2000, load: 2000, submit: Math.round(submit * 10) });
  const env = { ...ENV, atLoad: { globals: [], documentKeys: [], debugger: { prepare: 0, name: 1 }, stacks: [] } };
  if (variant === 'clicks') {
    const { step } = await check.evidence({ v: 1, ctx: ctx(1), clock: clock(900), env, pointer: click('first', 800) });
    await check.evidence({ v: 1, ctx: ctx(2, step.token), clock: clock(1000), env: { atSubmit: env.atLoad }, pointer: [] });
    return check.complete();
  }
  const first = corner(check.place);
  const firstRows = straight('first', { x: 20, y: 300 }, first, 500);
  await sleep(700);
  const { step } = await check.evidence({ v: 1, ctx: ctx(1), clock: clock(firstRows.end), env, pointer: firstRows.rows, layout: layout('first', first, 4000) });
  const second = step.kind === 'press' ? corner(step) : first;
  const two = straight('second', firstRows.to, second, firstRows.end + 100);
  await sleep(700);
  await check.evidence({
    v: 1, ctx: ctx(2, step.token), clock: clock(two.end), env: { atSubmit: env.atLoad }, pointer: two.rows,
    layout: layout('second', second, Math.round((firstRows.end + 50) * 10)),
  });
  await check.complete();
});
