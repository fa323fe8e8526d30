// The tables of `docs/reference/embedding.md` have a row for each case of these suites, in their order.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

test('the tables of hosts have a row for every case', async () => {
  const suites = await Promise.all(['hosts', 'modals', 'blocked', 'hostile'].map((name) => import(`./suites/${name}.mjs`)));
  const titles = suites.flatMap(({ cases, full }) => Object.keys({ ...cases, ...full }));
  const tables = (await readFile(`${process.env.VOIGHT_REPOSITORY}/docs/reference/embedding.md`, 'utf8')).matchAll(/^\|---.*\n((?:\|.*\n)+)/gm);
  assert.deepEqual([...tables].flatMap(([, rows]) => rows.match(/(?<=^\| ).+?(?= \| )/gm)), titles);
});
