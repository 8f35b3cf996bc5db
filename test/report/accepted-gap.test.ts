import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmallHistory } from './small-history.ts';

let small: SmallHistory;
beforeAll(() => {
  small = new SmallHistory();
});
afterAll(() => small[Symbol.dispose]());

const plans =
  'plans: [{name: scale, match: {projects: [shop, p-dw]}, prices: [{from: 2026-01-01, to: 2026-10-20, per_compute_hour: 0.16}]}]';

/** @param gaps as YAML in one line. */
function configOf(gaps: string): string {
  const book = `pricing: {currency: EUR, ${plans}, accepted_gaps: ${gaps}}\n`;
  return small.write('accepted.yaml', `${book}groups: {team: {web: {projects: [shop]}}}\n`);
}

const report = async (gaps: string, line = 'cost --period 2026-10') => {
  const { exitCode, stdout, stderr } = await small.report(`${line} --config.file ${configOf(gaps)}`);
  const notes = stdout.split('\n').filter(text => text.startsWith('- '));
  return { exitCode, notes, stderr };
};

test('a price gap that is accepted is a note with its reason, and a report of no other gap ends with 0', async () => {
  const gaps =
    '[{projects: ["stray*"], why: sandboxes cost nothing}, {plans: [scale], from: 2026-10-20, to: 2026-11-01, why: a free fortnight}]';
  expect(await report(gaps)).toEqual({
    exitCode: 0,
    notes: [
      '- 2.00 compute hours are unpriced, which is accepted: sandboxes cost nothing.',
      '- 30.00 compute hours are unpriced, which is accepted: a free fortnight.',
    ],
    stderr: '',
  });
  expect((await report(gaps, 'cost --period 2026-10 --format focus')).exitCode).toBe(0);
  const months = await report(gaps, 'months --period 2026-10');
  expect(months.exitCode).toBe(0);
  expect(months.notes).toContain('- 30.00 compute hours are unpriced, which is accepted: a free fortnight.');
});

test('what lies outside of an accepted gap is a gap still, to the hour', async () => {
  const part = await report('[{plans: [scale], from: 2026-10-20, to: 2026-10-21, why: one free day}]');
  expect(part.exitCode).toBe(3);
  expect(part.stderr).toContain('partial: 2.00 compute hours are unpriced: ');
  const late = await report('[{plans: [scale], from: 2026-10-21, why: too late}]');
  expect(late.stderr).toContain('partial: 32.00 compute hours are unpriced: ');
  expect(late.notes).not.toContainEqual(expect.stringContaining('too late'));
});

test('a group, an account, or nothing but a time may be accepted', async () => {
  const stray = 'partial: 2.00 compute hours are unpriced: ';
  expect((await report('[{groups: [team/web], why: x}]')).stderr).toContain(stray);
  expect((await report('[{accounts: [main], why: x}]')).exitCode).toBe(0);
  expect((await report('[{from: 2026-10-01, why: x}]')).exitCode).toBe(0);
  expect((await report('[{accounts: [other], why: x}]')).exitCode).toBe(3);
});
