// Commands as a reader types them: in bash, with the service's program on the path.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';

/** Starts a script; appends both streams to `output`, and standard output to `printed`.
 * @param {string} script @param {string} folder @param {Record<string, string | undefined>} variables */
export function start(script, folder, variables) {
  // No variable of the tests: the service rejects those that it does not read.
  const inheritedVariables = Object.entries(process.env).filter(([name]) => !name.startsWith('VOIGHT'));
  const env = { ...Object.fromEntries(inheritedVariables), ...variables, PATH: `${dirname(process.env.VOIGHT_BIN)}:${process.env.PATH}` };
  // A process group of its own, so that the script can be stopped with all its child processes.
  const child = spawn('bash', ['-eu', '-c', script], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const running = { child, output: '', printed: '', ended: once(child, 'close').then(([code]) => code) };
  child.stdout.on('data', (data) => (running.printed += data));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (running.output += data));
  return running;
}

/** Runs a script to completion, and returns its output.
 * @param {string} script @param {string} folder @param {Record<string, string | undefined>} variables */
export async function run(script, folder, variables) {
  const running = start(script, folder, variables);
  const code = await running.ended;
  if (code !== 0) throw new Error(`this ended with ${code}:\n${script}\n${running.output}`);
  return running.printed;
}

/** Stops a script with all its child processes. @param {ReturnType<typeof start>} running */
export async function end({ child, ended }) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process group has ended already.
  }
  await ended;
}
