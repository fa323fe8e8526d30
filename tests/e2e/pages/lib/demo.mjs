// Demo: its own service, and a quest page of another origin.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment, freePort } from './service.mjs';

/** Starts `voight demo`. @returns {Promise<{url: string, end: () => Promise<void>}>} where its page is */
export async function openDemo() {
  const ports = ['--port', String(await freePort()), '--page-port', String(await freePort())];
  const process_ = spawn(process.env.VOIGHT_BIN, ['--json', 'demo', ...ports], { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
  const { page } = await welcome(process_);
  const end = async () => {
    const ended = once(process_, 'exit');
    process_.kill();
    await ended;
  };
  return { url: new URL(page).origin, end };
}

/** Reads the document that the demo prints once everything runs. */
async function welcome(demo) {
  let printed = '';
  for await (const part of demo.stdout) {
    printed += part;
    if (printed.trimEnd().endsWith('}')) return JSON.parse(printed);
  }
  throw new Error(`the demo ended before it was ready: ${printed}`);
}
