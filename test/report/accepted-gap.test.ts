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
function configOf(gaps: string, billing: string): string {
  const book = `pricing: {currency: EUR, ${billing}${plans}, accepted_gaps: ${gaps}}\n`;
  const budgets = 'budgets: [{name: all, account: main, amount: 20, per: month}]\n';
  return small.write('accepted.yaml', `${book}groups: {team: {web: {projects: [shop]}}}\n${budgets}`);
}

const report = async (gaps: string, line = 'cost --period 2026-10', billing = '') => {
  const { exitCode, stdout, stderr } = await small.report(`${line} --config.file ${configOf(gaps, billing)}`);
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

const stray = '{projects: ["stray*"], why: sandboxes cost nothing}';
const fortnight = '{plans: [scale], from: 2026-10-20, why: a free fortnight}';
const noPrice = 'no plan or price is for them, and the cost is without them.';

test('budgets tell an accepted gap with its reason, and any other one makes their report partial', async () => {
  const all = await report(`[${stray}, ${fortnight}]`, 'budgets --period 2026-10');
  expect([all.exitCode, all.notes]).toEqual([
    0,
    [
      '- Budget all: 2.00 compute hours are unpriced, which is accepted: sandboxes cost nothing.',
      '- Budget all: 30.00 compute hours are unpriced, which is accepted: a free fortnight.',
    ],
  ]);
  const one = await report(`[${stray}]`, 'budgets --period 2026-10');
  expect([one.exitCode, one.notes]).toEqual([
    3,
    [
      `- Budget all: 30.00 compute hours are unpriced: ${noPrice}`,
      '- Budget all: 2.00 compute hours are unpriced, which is accepted: sandboxes cost nothing.',
    ],
  ]);
});

test.each([
  ['forecast', 'Account main: ', ' of account main are unpriced, and the cost is without them.'],
  ['forecast --by project', '', ` are unpriced: ${noPrice}`],
  ['forecast --project main/p-stray', '', ` are unpriced: ${noPrice}`],
])(
  'report %s tells an accepted gap with its reason, and any other one makes it partial',
  async (line, of, none) => {
    const billing = 'billing_period: {anchor_day: 14}, ';
    const accepted = await report(`[${stray}, ${fortnight}]`, line, billing);
    expect(accepted.exitCode).toBe(0);
    const said = `- ${of}2.00 compute hours are unpriced, which is accepted: sandboxes cost nothing.`;
    expect(accepted.notes).toContain(said);
    expect(accepted.notes.join()).not.toContain(none);
    const other = await report(`[${fortnight}]`, line, billing);
    expect(other.exitCode).toBe(3);
    expect(other.notes).toContain(`- 2.00 compute hours${none}`);
  },
);
