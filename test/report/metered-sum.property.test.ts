import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayMs } from '../../src/resources/duration.ts';
import type { MeterAmounts } from '../../src/resources/meter.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { consumptionReading, wireConsumption, wireTimeframe } from '../support/meter-builder.ts';
import { projectsReading, wireProject } from '../support/reading-builder.ts';
import { runReport } from '../support/report-run.ts';
import { runs } from '../support/seed.ts';

const at = Date.UTC(2026, 9, 1);
const metrics = ['compute_unit_seconds', 'root_branch_bytes_month', 'public_network_transfer_bytes'] as const;
const groups = '\ngroups:\n  team:\n    web: {projects: [p-0, p-1]}\n    data: {projects: [p-2]}\n';

/** A history in which days of projects were metered so. */
function recordDays(folder: HistoryFolder, days: readonly (readonly MeterAmounts[])[]): void {
  const history = folder.open();
  const items = days.map((_, index) => wireProject(`p-${index}`, { region_id: `r-${index % 2}` }));
  history.commitOne(projectsReading(at, items));
  const told = days.map((amounts, index) => {
    const frames = amounts.map((each, day) => wireTimeframe(at + day * dayMs, at + (day + 1) * dayMs, each));
    return wireConsumption(`p-${index}`, frames);
  });
  for (const later of [40, 41])
    history.commitOne(consumptionReading(at + later * dayMs, told, { granularity: 'daily' }));
  history.commitOne(projectsReading(at + 41 * dayMs, items));
}

/** The sum of a metric in units of `parts`, to `decimals`, half of the last one to the even one. */
function exactSum(amounts: readonly number[], parts: bigint, decimals: number): string {
  const scaled = amounts.reduce((sum, amount) => sum + BigInt(amount), 0n) * 10n ** BigInt(decimals);
  const [down, rest] = [scaled / parts, scaled % parts];
  const isUp = 2n * rest > parts || (2n * rest === parts && down % 2n === 1n);
  const digits = String(isUp ? down + 1n : down).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

test('whatever rows are of, what was metered comes to the same, and the rows add up to it', async () => {
  const amount = fc.integer({ min: 0, max: 1e13 });
  const day = fc.record({
    compute_unit_seconds: fc.integer({ min: 0, max: 1e6 }),
    root_branch_bytes_month: amount,
    public_network_transfer_bytes: amount,
  });
  const fleet = fc.array(fc.array(day, { minLength: 1, maxLength: 10 }), { minLength: 4, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fleet, async days => {
      using folder = new HistoryFolder();
      recordDays(folder, days);
      const expected = metrics.map((metric, index) => {
        const all = days.flat().map(each => each[metric]);
        return exactSum(all, index === 0 ? 3600n : 1_000_000_000n, index === 0 ? 2 : 3);
      });
      for (const by of ['project', 'group', 'account', 'region', 'owner', 'endpoint']) {
        for (const step of ['', ' --step day', ' --step week']) {
          const words = `usage --period 2026-10 --by ${by}${step} --format json`;
          const asked = { file: folder.file, now: at + 41 * dayMs, config: groups };
          const { rows, totals } = JSON.parse((await runReport(words, asked)).stdout);
          const keys = ['metered_compute_hours', 'metered_storage_gb_months', 'metered_transfer_gb'];
          expect(keys.map(key => totals[key])).toEqual(expected);
          for (const [index, key] of keys.entries()) {
            const cells = rows.flatMap((row: Record<string, string | null>) => row[key] ?? []);
            const sum = exactSum(
              cells.map((cell: string) => Number(cell.replace('.', ''))),
              1n,
              3,
            );
            expect(sum).toBe(`${(expected[index] ?? '').replace('.', '')}.000`.replace(/^0+(?=\d)/, ''));
          }
        }
      }
    }),
    { numRuns: runs(2) },
  );
}, 180_000);
