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
    const exit = once(process_, 'exit');
    process_.kill();
    await exit;
  };
  return { url: new URL(page).origin, end };
}

/** Reads the document that the demo prints once everything runs. */
async function welcome(demo) {
  let output = '';
  for await (const part of demo.stdout) {
    output += part;
    if (output.trimEnd().endsWith('}')) return JSON.parse(output);
  }
  throw new Error(`the demo ended before it was ready: ${output}`);
}
