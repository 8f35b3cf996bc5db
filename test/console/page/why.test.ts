import { afterAll, beforeAll, expect, test } from 'vitest';
import { LivedHistory } from '../../support/lived-history.ts';
import { openConsole } from '../../support/open-console.ts';

let lived: LivedHistory;
beforeAll(() => {
  lived = new LivedHistory({ now: Date.UTC(2026, 10, 4) / 1000, seed: 3, projects: 6, historyDays: 70 });
  lived.watch(6 * 3600, { listEverySeconds: 900, projectsEvery: 2 });
}, 120_000);
afterAll(() => lived?.[Symbol.dispose]());

test('without prices every cause is of compute hours, as the report has it, and all come to the difference', async () => {
  const free = await openConsole({ file: lived.folder.file, now: lived.now });
  const report = await free.report('why', { period: 'last-billing' });
  const { has_prices, why } = await free.json('/cost/why');
  expect([has_prices, why.cost, why.cost_before, why.difference]).toEqual([false, null, null, null]);
  expect([why.used_hours_before, why.used_hours]).toEqual([report.against?.before, report.against?.after]);
  expect(why.summary).toEqual(report.summary);
  const hundredths = (hours: string) => Math.round(100 * Number(hours));
  const whole = why.causes.filter(({ level }: { level: number }) => level === 1);
  expect(whole.length).toBeGreaterThan(2);
  expect(
    whole.reduce((sum: number, each: { compute_hours: string }) => sum + hundredths(each.compute_hours), 0),
  ).toBe(hundredths(why.used_hours) - hundredths(why.used_hours_before));
  const { text } = await free.get('/cost/why');
  expect(text).toContain('<h1>Why the use changed</h1>');
  expect(text).toContain('A compute hour costs');
  const { spending } = await free.json('/overview');
  const ofPeriod = await free.json('/cost/why?period=billing');
  expect(spending.before.used_hours_now).toBe(ofPeriod.why.used_hours);
  expect(spending.moves.largest.map(({ difference }: { difference: string }) => difference)).toEqual(
    ofPeriod.why.causes
      .filter(({ level }: { level: number }) => level === 1)
      .slice(0, spending.moves.largest.length)
      .map(({ compute_hours }: { compute_hours: string }) => compute_hours),
  );
  free.close();
});

test('the periods to choose from end with the first that is known of, on each page of use', async () => {
  const yaml =
    'pricing: {currency: USD, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.16}]}]}\ngroups: {team: {all: {projects: ["*"]}}}\n';
  const shown = await openConsole({ file: lived.folder.file, now: lived.now, yaml });
  const knownAt = (await shown.report('cost', {})).firstKnownAt ?? 0;
  const since = new Date(knownAt).toISOString().slice(0, 10);
  for (const path of ['/cost', '/cost/why', '/cost/invoice', '/showback', '/report/usage']) {
    const { known_since, more_periods } = await shown.json(path);
    expect(known_since, path).toBe(since);
    const months = more_periods.map(({ period }: { period: string }) => period);
    expect(months.join(' '), path).toBe('2026-11 2026-10 2026-09 2026-08 2026-Q4 2026-Q3');
  }
  shown.close();
});
