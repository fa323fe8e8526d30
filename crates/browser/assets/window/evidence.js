/** Collects evidence from the load of the window on, and encodes the batches. */

import { copy, drawn } from './collect/copy.js';
import { counted, watchCounts } from './collect/counts.js';
import { device } from './collect/device.js';
import { engine } from './collect/engine.js';
import { environment } from './collect/env.js';
import { focusRows, visibilityRows, watchFocus } from './collect/focus.js';
import { keyRows, keysReleased, watchKeys } from './collect/keys.js';
import { takeLayout, watchLayout } from './collect/layout.js';
import { cleanText, integrity } from './collect/native.js';
import { POINTER_DELTAS, pointerRows, watchPointer } from './collect/pointer.js';
import { probe } from './collect/probes.js';
import { startTaps } from './collect/taps.js';
import { TOUCH_DELTAS, touchRows, watchTouches } from './collect/touches.js';
import { deltas, tenths } from './collect/units.js';

const VERSION = '1';
const MAX_BYTES = 65536;
const PATIENCE_MS = 400;

/** @template T @param {Promise<T>} promise @returns {Promise<T | null>} null after a timeout */
const soon = (promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, null))]);

/** Verifies native functions and reads values of the browser by a hidden nested frame. */
function nested() {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  document.body.append(frame);
  const clean = frame.contentWindow;
  const show = clean && cleanText(clean);
  const seen = show ? { native: integrity(show), frame: copy(clean), ...drawn(window) } : drawn(window);
  frame.remove();
  return { show, seen };
}

/** Drops the oldest tenth of the longest lists until the batch fits.
 * @param {Record<string, any[]>} lists @param {() => string} encode */
function fit(lists, encode) {
  let text = encode();
  while (new TextEncoder().encode(text).length > MAX_BYTES) {
    const [longest] = Object.values(lists).sort((a, b) => b.length - a.length);
    if (longest.length === 0) break;
    longest.splice(0, Math.ceil(longest.length / 10));
    text = encode();
  }
  return text;
}

export function startEvidence() {
  const load = tenths(performance.now());
  /** @type {Promise<object>} */
  let env = Promise.resolve({});
  /** @type {ReturnType<typeof nested> | null} */
  let nest = null;
  /** Evaluates a nested frame once: it initialises WebGL, which is slow. */
  const look = () => (nest ??= nested());
  const atLoad = probe();
  const marks = engine();
  startTaps();
  for (const watch of [watchPointer, watchKeys, watchTouches, watchFocus, watchCounts, watchLayout]) watch();

  /** @param {object} ctx @param {object} rest @returns {string} a batch with the rows since the previous one */
  const batch = (ctx, rest) => {
    const lists = {
      pointer: pointerRows.take(),
      keys: keyRows.take(),
      touches: touchRows.take(),
      focus: focusRows.take(),
      visibility: visibilityRows.take(),
    };
    const layout = takeLayout();
    const clock = { timeOrigin: performance.timeOrigin, load, submit: tenths(performance.now()) };
    return fit(lists, () =>
      JSON.stringify({
        v: 1,
        ctx: { ...ctx, clientVersion: VERSION },
        clock,
        ...rest,
        counts: counted(),
        pointer: deltas(lists.pointer, POINTER_DELTAS),
        keys: deltas(lists.keys, [0]),
        touches: deltas(lists.touches, TOUCH_DELTAS),
        focus: deltas(lists.focus, [1]),
        visibility: deltas(lists.visibility, [0]),
        layout,
      }),
    );
  };

  return {
    /** Discards the events before this check was opened, and reads the environment: the frame is visible from now on. */
    begin() {
      env = environment();
      for (const list of [pointerRows, keyRows, touchRows, focusRows, visibilityRows]) list.take();
      takeLayout();
    },
    look,
    /** @param {object} ctx @param {Promise<object | null>} copied @param {object} hostCounts */
    async first(ctx, copied, hostCounts) {
      const [about, worker] = await Promise.all([env, soon(copied), keysReleased()]);
      const all = { ...about, engine: marks, ...look().seen, ...(worker && { worker }), atLoad };
      return batch({ ...ctx, batch: 1 }, { env: all, hostCounts });
    },
    /** @param {object} ctx @param {Promise<object>} linking @param {object | null} hostCounts */
    async second(ctx, linking, hostCounts) {
      const [about] = await Promise.all([soon(linking), keysReleased()]);
      const extra = { ...(about && { device: about }), ...(hostCounts && { hostCounts }) };
      // Drivers may patch functions late, so native functions are verified again.
      const { show } = look();
      const env = { atSubmit: probe(), ...(show && { native: integrity(show) }) };
      return batch({ ...ctx, batch: 2 }, { env, ...extra });
    },
    device,
  };
}
