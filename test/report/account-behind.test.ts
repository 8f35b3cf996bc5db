import { expect, onTestFinished, test } from 'vitest';
import { HistoryFolder } from '../support/history-folder.ts';
import { openConsole } from '../support/open-console.ts';
import { projectsReading, wireProject } from '../support/reading-builder.ts';

const hourMs = 3_600_000;
const turnAt = Date.UTC(2026, 10, 1);
const prices = `
pricing:
  currency: EUR
  plans:
    - name: all
      prices: [{from: 2026-01-01, per_compute_hour: 0.1}]
      base_fee: 10
`;

/** Accounts that use one compute unit all the time since October began, each known until an instant. */
async function openAt(now: number, knownUntilAt: Readonly<Record<string, number>>) {
  const folder = new HistoryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const accounts = Object.keys(knownUntilAt);
  const history = folder.open({ accounts });
  const beganAt = Date.UTC(2026, 9, 1);
  const created_at = new Date(beganAt).toISOString();
  for (let at = beganAt; at <= now; at += hourMs) {
    for (const account of accounts.filter(each => at <= (knownUntilAt[each] ?? 0))) {
      const item = wireProject(`p-${account}`, { created_at, cpu_used_sec: (at - beganAt) / 1000 });
      history.commitOne(projectsReading(at, [item], { account }));
    }
  }
  folder.close(history);
  const budgets = accounts.map(each => `  - {name: ${each}, account: ${each}, amount: 100, per: billing}`);
  const yaml = `${prices}budgets:\n${budgets.join('\n')}\n`;
  const shown = await openConsole({ file: folder.file, now, yaml, accounts });
  onTestFinished(() => shown.close());
  return shown;
}

/** The forecast of each account as the terminal, the page of costs and the page of metrics have it, of cost and of hours. */
async function readForecasts(shown: Awaited<ReturnType<typeof openAt>>) {
  const { rows, notes } = await shown.report('forecast', { format: 'json' });
  const { forecasts, budgets } = await shown.json('/cost');
  const { spending } = await shown.json('/overview');
  return {
    notes,
    told: rows.map(([account, , unit, soFar, expected]) => [account, unit, soFar, expected]),
    paged: forecasts.flatMap(({ account, cost, expected, compute_hours }: Forecast) => [
      [account, 'EUR', cost, expected],
      [account, 'hour', compute_hours.used, compute_hours.expected],
    ]),
    metered: shown
      .usage()
      ?.accounts.map(({ account, period, forecast }) => [
        account,
        new Date(period.fromAt).toISOString(),
        forecast?.cost?.expected.toFixed(2),
      ]),
    periods: [...forecasts, ...budgets].map(({ period }: Forecast) => period.from),
    projected: budgets.map(({ projected }: Readonly<Record<string, string>>) => projected),
    overview: [spending.period.from, spending.cost, spending.expected, spending.expected_hours],
  };
}

interface Forecast {
  readonly account: string;
  readonly period: { readonly from: string };
  readonly cost: string;
  readonly expected: string;
  readonly compute_hours: { readonly used: string; readonly expected: string };
}

const november = '2026-11-01T00:00:00.000Z';
const isBehind = 'Account other was last read at 2026-10-31 23:00: what was used since is not known.';
const ofOther = [
  ['other', 'EUR', '0.00', '82.00'],
  ['other', 'hour', '0.00', '720.00'],
];

test('an account that was not read since the billing period began is forecast in it, as the others are, and said to be behind', async () => {
  const now = turnAt + 6 * hourMs;
  const shown = await openAt(now, { main: now, other: turnAt - hourMs });
  const { notes, told, paged, metered, periods, projected, overview } = await readForecasts(shown);
  expect(told).toEqual([['main', 'EUR', '10.60', '82.00'], ['main', 'hour', '6.00', '720.00'], ...ofOther]);
  expect(paged).toEqual(told);
  expect(metered).toEqual([
    ['main', november, '82.00'],
    ['other', november, '82.00'],
  ]);
  expect(new Set(periods)).toEqual(new Set([november]));
  expect(projected).toEqual(['82.00', '82.00']);
  expect(overview).toEqual([november, '10.60', '164.00', '1440.00']);
  expect(notes).toContain(isBehind);
});

test('where no account was read since the billing period began, reports and pages forecast it all the same', async () => {
  const shown = await openAt(turnAt + hourMs / 12, { other: turnAt - hourMs });
  const { notes, told, paged, periods, projected, overview } = await readForecasts(shown);
  expect(told).toEqual(ofOther);
  expect(paged).toEqual(told);
  expect(new Set(periods)).toEqual(new Set([november]));
  expect(projected).toEqual(['82.00']);
  expect(overview).toEqual([november, '0.00', '82.00', '720.00']);
  expect(notes).toContain(isBehind);
});
