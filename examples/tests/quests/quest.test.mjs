// Follows the README of a quest and visits the quest: as a person, as a flagged bot, and as bots that skip the
// window. Runs in a copy of the repository that equals a fresh clone.
//
//   node quest.test.mjs NAME
import { after, afterEach, before, describe, test } from 'node:test';
import { cases } from './cases.mjs';
import { Stage } from './stage.mjs';

const CASE_MS = 180000;
const [name] = process.argv.slice(2);
const stage = await Stage.set(name);

describe(`the quest ${name}`, () => {
  before(() => stage.follow());
  afterEach(async (t) => t.passed || t.diagnostic(await stage.output()));
  after(() => stage.clear());
  for (const [title, work] of Object.entries(cases(stage))) test(title, { timeout: CASE_MS }, work);
});
