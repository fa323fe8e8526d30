// Evidence forged by an attacker who has read the source: facts of a plain Chromium, a model of hand movement, and
// the headers of a browser. Variants press with another pointer than the one that moved: a pen, or one of an unknown
// type.
import { randomBytes } from 'node:crypto';
import { AGENT, variant } from './browser.mjs';
import { ADDRESS, CONTEXT, POINTER_DELTAS, TARGET, corner, deltas, layout, open, row, sleep, visit } from './protocol.mjs';

const BRANDS = [['Chromium', '156'], ['Not?A_Brand', '24']];
const HEADERS = {
  'user-agent': AGENT,
  accept: '*/*',
  'accept-language': 'en-US,en;q=0.9',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'sec-ch-ua': BRANDS.map(([name, version]) => `"${name}";v="${version}"`).join(', '),
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
  origin: process.env.SERVICE,
  referer: `${process.env.SERVICE}/window/v1`,
};
const SEEN = { ua: AGENT, platform: 'Linux x86_64', languages: ['en-US', 'en'], timeZone: 'Europe/Berlin', hardwareConcurrency: 8 };
const GRAPHICS = { webglVendor: 'Google Inc. (Intel)', webglRenderer: 'ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)' };
/** Type of the pointer that presses. */
const TYPE = { pen: 1, unknown: 3 }[variant] ?? 0;
const PROBE = { globals: [], documentKeys: [], debugger: { prepare: 0, name: 1 }, stacks: [] };
const ENV = {
  ...SEEN,
  vendor: 'Google Inc.',
  timeZoneOffset: -60,
  deviceMemory: 8,
  maxTouchPoints: 0,
  screen: { w: 1920, h: 1080, availW: 1920, availH: 1053, depth: 24 },
  outer: { w: 1920, h: 1053 },
  inner: { w: 380, h: 420 },
  position: { x: 0, y: 27 },
  devicePixelRatio: 1,
  viewport: { w: 380, h: 420, scale: 1, left: 0, top: 0 },
  media: { hover: true, anyHover: true, pointer: 'fine', anyPointer: 'fine' },
  webdriver: { value: false, own: false, inPrototype: true },
  hints: {
    brands: BRANDS, mobile: false, platform: 'Linux', platformVersion: '', architecture: 'x86', bitness: '64', model: '',
    fullVersions: BRANDS.map(([name, version]) => [name, `${version}.0.0.0`]), wow64: false,
  },
  native: { checked: 34, failed: [] },
  engine: {
    errorShape: 'v8', nullError: "Cannot read properties of null (reading 'x')", evalLength: 33,
    features: ['chrome', 'webkitSpeechRecognition', 'SharedWorker', 'EyeDropper', 'PaymentRequest', 'USB', 'HID', 'Serial',
      'XRSystem', 'TouchEvent', 'ondeviceorientation', 'Notification', 'PushManager', 'showOpenFilePicker', 'queryLocalFonts',
      'documentPictureInPicture', 'NavigatorUAData', 'GPU', 'structuredClone', 'MediaSession', 'cookieStore',
      'onpointerrawupdate', 'ScrollTimeline'],
  },
  worker: { ...SEEN, ...GRAPHICS },
  frame: { ...SEEN, webdriver: false, ...GRAPHICS },
  atLoad: PROBE,
};

const normal = (mean, deviation) => mean + deviation * Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
/** All events of a document share the fraction of a millisecond, like the times of an X server. */
const FRACTION = Math.floor(Math.random() * 10) / 10;
const SCREEN = { x: 620 + Math.floor(Math.random() * 80), y: 380 + Math.floor(Math.random() * 60) };

/** Two or three submovements with log-normal speed profiles, a slow arc and a slow tremor; one position every 8 ms. */
function hand(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const parts = [[0, 0.94 + normal(0, 0.03)], [0.2 + Math.random() * 0.12, 0]];
  parts[1][1] = 1 - parts[0][1];
  const lasting = Math.max(0.35, normal(0.32 + 0.11 * Math.log2(1 + length / 50), 0.06));
  const [mu, sigma] = [Math.log(lasting * 0.36), normal(0.36, 0.03)];
  const bend = normal(0, 0.05);
  const phase = Math.random() * 6;
  const shape = (t) => (t <= 0 ? 0 : 0.5 * (1 + erf((Math.log(t) - mu) / (sigma * Math.SQRT2))));
  return Array.from({ length: Math.ceil((lasting * 1000 + 160) / 8) }, (_, at) => {
    const t = (at * 8) / 1000;
    const s = parts.reduce((sum, [start, share]) => sum + share * shape(t - start), 0);
    const side = bend * Math.sin(Math.PI * Math.min(1, Math.max(0, s))) + (Math.sin(t * 9 + phase) * 0.8) / Math.max(60, length);
    return { x: Math.round(from.x + dx * s - dy * side), y: Math.round(from.y + dy * s + dx * side) };
  });
}

function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const y = 1 - ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp(-x * x);
  return Math.sign(x) * y;
}

/** Returns the rows of a movement and its click: once a frame, the browser delivers the positions that the mouse has reported since. */
function rows(role, from, at, began) {
  const to = { x: Math.round(at.x + TARGET.w * (0.25 + Math.random() * 0.5)), y: Math.round(at.y + TARGET.h * (0.25 + Math.random() * 0.5)) };
  const path = hand(from, to);
  const list = [];
  let [last, bundle] = [from, []];
  path.forEach((point, index) => {
    const t = began + index * 8 + FRACTION;
    const hasMoved = point.x !== last.x || point.y !== last.y;
    if (hasMoved) bundle.push({ t, point });
    if (bundle.length > 0 && (index % 2 === 1 || index === path.length - 1)) {
      const end = bundle.at(-1);
      const previous = list.at(-1)?.point ?? from;
      const by = { x: end.point.x - previous.x, y: end.point.y - previous.y };
      const times = bundle.map((one) => Math.round((one.t - end.t) * 10));
      list.push({ point: end.point, row: row(0, end.t, end.point, { coalesced: bundle.length, latency: Math.max(0.6, normal(4, 1.8)), screen: SCREEN, moved: by, times }) });
      bundle = [];
    }
    last = point;
  });
  const place = list.at(-1)?.point ?? to;
  const press = Math.round(began + path.length * 8 + Math.max(40, normal(130, 45))) + FRACTION;
  const hold = Math.round(Math.max(45, normal(92, 18)));
  const of = (latency) => ({ role: role === 'first' ? 1 : 2, type: TYPE, screen: SCREEN, coalesced: 0, latency });
  return {
    to: place,
    end: press + hold,
    rows: [
      ...list.map((one) => one.row),
      row(1, press, place, { ...of(3.1), buttons: 1, pressure: 500 }),
      row(2, press + hold, place, of(2.4)),
      row(6, press + hold, place, { ...of(2.9), flags: 3 | (1 << 2) }),
    ],
  };
}

const openTime = Date.now();
await visit(async () => {
  const check = await open(HEADERS);
  const ctx = (batch, answer) => ({ contextId: CONTEXT, address: ADDRESS, batch, clientVersion: '1', ...(answer && { answer }) });
  const life = 700;
  const since = () => life + Date.now() - openTime;
  const clock = (submit) => ({ timeOrigin: openTime - life, load: 1800, submit: Math.round(submit * 10) });
  const counts = (list) => {
    const of = (kind) => list.filter(([found]) => found === kind).length;
    const raw = list.reduce((sum, found) => sum + (found[0] === 0 ? found[13] : 0), 0);
    return { move: of(0), raw, down: of(1), up: of(2), click: of(6), key: 0, touch: 0, wheel: 0 };
  };
  const hostCounts = { ms: 5200, move: 61, down: 1, up: 1, click: 1, key: 0, touch: 0, wheel: 0, scroll: 0, untrusted: 0 };

  const first = corner(check.place);
  const shownAt = since() + 30;
  const firstRows = rows('first', { x: 200, y: 415 }, first, Math.round(shownAt + normal(480, 90)));
  await sleep(firstRows.end + 40 - since());
  const { step } = await check.evidence({
    v: 1, ctx: ctx(1), clock: clock(firstRows.end + 30), env: ENV, hostCounts, counts: counts(firstRows.rows),
    pointer: deltas(firstRows.rows, POINTER_DELTAS), layout: layout('first', first, Math.round(shownAt * 10)),
  });
  const second = corner(step);
  const next = since() + 20;
  const two = rows('second', firstRows.to, second, Math.round(next + normal(360, 60)));
  await sleep(two.end + 40 - since());
  const id = () => randomBytes(16).toString('hex');
  await check.evidence({
    v: 1, ctx: ctx(2, step.token), clock: clock(two.end + 30), env: { atSubmit: PROBE }, hostCounts,
    counts: counts([...firstRows.rows, ...two.rows]), pointer: deltas(two.rows, POINTER_DELTAS), layout: layout('second', second, Math.round(next * 10)),
    device: { canvas: id(), audio: id(), fonts: '000010000100000001000000', math: id(), webgl: { vendor: GRAPHICS.webglVendor, renderer: GRAPHICS.webglRenderer, hash: id() }, codecs: 'pppp-ppp', localId: id() },
  });
  await check.complete();
});
