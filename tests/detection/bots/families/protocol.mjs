// Client of the window's documented protocol, without a window.
import { createHash } from 'node:crypto';

export const { SERVICE, CONTEXT, ADDRESS } = process.env;
const [page] = process.argv.slice(2);
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Error of the service, whatever the reason. */
class Refused extends Error {}

async function post(path, headers, body) {
  const answer = await fetch(`${SERVICE}/window/v1/checks${path}`, {
    method: 'POST',
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    body: body || undefined,
  });
  const text = await answer.text();
  if (/CHECK_REFUSED|INVALID_EVIDENCE|RATE_LIMITED/.test(text)) throw new Refused(text);
  if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
  return JSON.parse(text).data;
}

function solve({ salt, bits }) {
  for (let number = 0; ; number += 1) {
    const digest = createHash('sha256').update(`${salt}:${number}`).digest();
    if (Math.clz32(digest.readUInt32BE(0)) >= bits) return String(number);
  }
}

/** Opens a check for an address; every request carries `headers`. */
export async function open(headers = {}) {
  const origin = new URL(page).origin;
  const openCheck = await post('', headers, JSON.stringify({ context: CONTEXT, address: ADDRESS, origin, originSite: `${origin}/` }));
  return check(openCheck.check, { ...headers, 'x-voight-challenge': openCheck.challenge, 'x-voight-work': solve(openCheck.work) }, openCheck);
}

/** Returns the requests of an open check, and the position of its target by the layout seed. */
export function check(id, headers, opened = {}) {
  const seed = opened.layoutSeed ?? '';
  const place = { x: parseInt(seed.slice(0, 4), 16) / 65535, y: parseInt(seed.slice(4, 8), 16) / 65535 };
  return {
    place,
    opened,
    evidence: (batch) => post(`/${id}/evidence`, headers, JSON.stringify(batch)),
    complete: () => post(`/${id}/complete`, headers, ''),
  };
}

/** Runs a visit and prints its outcome. */
export async function visit(run) {
  try {
    await run();
    report('completed');
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause;
    report('rejected');
  }
}

function report(ended) {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ ended, cpu_seconds: (user + system) / 1e6 }));
}

/** Stage and targets of a window of 380 px width. */
export const STAGE = { x: 16, y: 96, w: 348, h: 260 };
export const TARGET = { w: 132, h: 56 };

/** Returns the position of a target at this fraction of the stage, in CSS pixels. */
export const corner = ({ x, y }) => ({ x: STAGE.x + x * (STAGE.w - TARGET.w), y: STAGE.y + y * (STAGE.h - TARGET.h) });

const hundredths = (pixels) => Math.round(pixels * 100);

/** Returns the rectangles of a stage and one target, as evidence. */
export function layout(role, at, t) {
  const box = (box) => Object.fromEntries(Object.entries(box).map(([name, value]) => [name, hundredths(value)]));
  return [{ role: 'stage', t, ...box(STAGE) }, { role, t, ...box({ ...at, ...TARGET }) }];
}

/** Replaces absolute values of rows by differences, in these columns. */
export const deltas = (rows, columns) =>
  rows.map((row, at) => row.map((value, column) => (at > 0 && columns.includes(column) ? value - rows[at - 1][column] : value)));

/** Returns a pointer row with absolute values; times in ms, lengths in CSS pixels. */
export const row = (kind, t, at, more = {}) => {
  const { buttons = 0, pressure = 0, type = 0, flags = 3, role = 0, coalesced = kind === 0 ? 1 : 0, latency = 2, screen = { x: 400, y: 300 }, moved = { x: 0, y: 0 }, times = [] } = more;
  return [
    kind, Math.round(t * 10), hundredths(at.x), hundredths(at.y), hundredths(at.x + screen.x), hundredths(at.y + screen.y),
    hundredths(moved.x), hundredths(moved.y), buttons, pressure, type, flags, role, coalesced, 0, Math.round(latency * 10), times,
  ];
};
export const POINTER_DELTAS = [1, 2, 3, 4, 5];
