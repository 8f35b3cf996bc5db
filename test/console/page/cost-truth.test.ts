import { expect, test } from 'vitest';
import { readRows, readTotals } from '../../../src/console/report-row.ts';
import type { ReportOptions } from '../../../src/report/kind.ts';
import { liveProjects } from '../../../src/simulator/model/account.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import { openConsole } from '../../support/open-console.ts';
import { scopeKeys } from '../truth/scope-key.ts';

const yaml = `
pricing:
  currency: EUR
  exchange_rates: [{currency: USD, from: 2026-01-01, rate: 0.92}]
  plans:
    - name: scale
      match: {projects: ["*a*"]}
      currency: USD
      minimum: 19
      base_fee: 5
      included: {compute_hours: 3, per: account}
      prices:
        - {from: 2026-01-01, per_compute_hour: 0.16}
        - {from: 2026-10-04, per_compute_hour: 0.213}
    - name: rest
      match: {projects: ["*e*"]}
      prices: [{from: 2026-01-01, per_compute_hour: 0.1}]
  adjustments: [{name: credit, kind: credit, from: 2026-10-01, amount: 1.5}]
groups:
  team: {web: {projects: ["*s*"]}, data: {projects: ["*t*"]}}
  stage: {dev: {projects: ["*-dev"]}}
usage: {timezone: Europe/Berlin}
`;
const day = 86_400;
const hostile = `<b>bold</b>"'&\u202e${'y'.repeat(10_000)}`;
const periods = ['billing', 'last-billing', '2026-10', '2026-10-03', 'last-5d'];
const axes = ['group', 'project', 'region', 'account', 'line'] as const;

interface Series {
  readonly cost: string | null;
  readonly used_hours: string | null;
  readonly cost_by_step: readonly (string | null)[];
}
const cents = (texts: readonly (string | null | undefined)[]) =>
  texts.reduce((sum, text) => sum + Math.round(100 * Number(text ?? 0)), 0);

test.each([1, 7])(
  'every figure of cost is that of the report, with seed %i',
  { timeout: 120_000 },
  async seed => {
    using lived = new LivedHistory({
      ...{
        now: Date.UTC(2026, 9, 1, 12) / 1000,
        seed,
        projects: seed === 7 ? 6 : 24,
        historyDays: 3,
        showcase: seed === 7,
      },
    });
    const [first] = liveProjects(lived.account);
    Object.assign(first ?? {}, { name: hostile });
    lived.watch(6 * day, { listEverySeconds: 21_600, projectsEvery: 1 });
    const shown = await openConsole({ file: lived.folder.file, now: lived.now, yaml });
    for (const period of periods) {
      for (const by of axes) {
        for (const grouping of by === 'group' ? ['team', 'stage'] : [undefined]) {
          const asked: ReportOptions = {
            period,
            by,
            step: 'day',
            ...(grouping && { grouping }),
            account: 'main',
          };
          const address = new URLSearchParams(asked as Readonly<Record<string, string>>);
          const { cost } = await shown.json(`/cost?${address}`);
          const top = by === 'line' ? {} : { top: 20 };
          const [report, whole] = [
            await shown.report('cost', { ...asked, ...top }),
            await shown.report('cost', asked),
          ];
          const rows = readRows<'cost'>(report);
          const where = `${period} by ${by} ${grouping}`;
          expect(cost.cost, where).toBe(readTotals<'cost'>(whole)?.cost ?? null);
          expect(cost.used_hours, where).toBe(readTotals<'cost'>(whole)?.used_hours ?? null);
          for (const step of cost.steps) {
            const own = rows.filter(row => row.step === step.label);
            expect(cents([step.cost]), where).toBe(cents(own.map(row => row.cost ?? null)));
          }
          const series: readonly Series[] = cost.series;
          expect(cents(series.map(each => each.cost))).toBe(cents([cost.cost]));
          for (const each of series) expect(cents(each.cost_by_step)).toBe(cents([each.cost]));
          const ownCents = [...Map.groupBy(rows, row => scopeKeys[by].map(key => row[key]).join()).values()]
            .map(members => cents(members.map(row => row.cost ?? null)))
            .toSorted((x, y) => x - y);
          expect(
            series.map(each => cents([each.cost])).toSorted((x, y) => x - y),
            where,
          ).toEqual(ownCents);
          if (by === 'line') continue;
          expect(cents(series.map(each => each.used_hours))).toBe(cents([cost.used_hours]));
        }
      }
      const { invoice } = await shown.json(`/cost/invoice?period=${period}`);
      const bill = await shown.report('cost', { period, by: 'line' });
      expect(invoice.lines.map((line: { cost: string | null }) => line.cost)).toEqual(
        readRows<'cost'>(bill).map(row => row.cost ?? null),
      );
      expect(invoice.total).toBe(readTotals<'cost'>(bill)?.cost ?? null);
      const { why } = await shown.json(`/cost/why?period=${period}`);
      const causes = await shown.report('why', { period });
      expect(why.causes.map((cause: { difference: string | null }) => cause.difference)).toEqual(
        readRows<'why'>(causes).map(row => row.difference ?? null),
      );
      expect([why.cost_before, why.cost]).toEqual([causes.against?.before, causes.against?.after]);
      for (const path of ['/cost?by=project&', '/cost/invoice?', '/cost/why?']) {
        const { text } = await shown.get(`${path}period=${period}`);
        expect(text).not.toContain('<b>bold');
        expect(text).not.toContain('\u202e');
        expect(text).not.toContain('y'.repeat(2000));
      }
    }
    const { forecasts } = await shown.json('/cost');
    const view = shown.usage()?.accounts[0];
    expect(forecasts[0]).toMatchObject({
      cost: view?.cost?.toFixed(2),
      expected: view?.forecast?.cost?.expected.toFixed(2) ?? null,
      compute_hours: {
        used: ((view?.computeSeconds ?? 0) / 3600).toFixed(2),
        expected: view?.forecast && (view.forecast.computeSeconds.expected / 3600).toFixed(2),
        bounds: view?.forecast && { high95: (view.forecast.computeSeconds.high95 / 3600).toFixed(2) },
      },
    });
    shown.close();
  },
);
