import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { ComputeQuery } from '../../src/history/usage/compute-query.ts';
import { readReportHistory } from '../../src/history/usage/report-history.ts';
import { SampleSpread } from '../../src/history/usage/sample-spread.ts';
import { LivedHistory } from '../support/lived-history.ts';

const dayMs = 86_400_000;
const begin = Date.UTC(2026, 9, 1);

test('what the roll-ups say of hours and many midnights at once is what single readings say', () => {
  using life = new LivedHistory({ now: begin / 1000, seed: 4, projects: 4, historyDays: 3 });
  for (let day = 0; day < 6; day += 1) {
    life.watch(20 * 3600, { listEverySeconds: 900, projectsEvery: 2 });
    while (life.history.upkeep(life.now));
    life.miss(4 * 3600);
  }
  const firstDay = begin / dayMs - 4;
  const midnights = Array.from({ length: 12 }, (_, index) => (firstDay + index) * dayMs);
  let known = 0;
  const database = new Database(life.folder.file, { readonly: true });
  onTestFinished(() => void database.close());
  const samples = new SampleSpread(database, new ComputeQuery(database));
  readReportHistory(
    life.folder.file,
    accounts => accounts,
    ({ usage, activity, rollUps: query }) => {
      for (const { project_ref } of usage.projects) {
        for (const [index, total] of query.used(project_ref, firstDay, 12).entries()) {
          if (Number.isNaN(total)) continue;
          expect(total).toBe(usage.usedUntil(project_ref, midnights[index] ?? 0));
          known += 1;
        }
        for (let hour = 24 * firstDay; hour < 24 * (firstDay + 10); hour += 5) {
          const at = hour * 3_600_000;
          expect(usage.usedUntil(project_ref, at)).toBe(samples.usedUntil(project_ref, at));
          known += 1;
        }
        for (const { endpoint_ref } of activity.endpoints(project_ref)) {
          for (const [index, total] of query.compute(endpoint_ref, firstDay, 12).entries()) {
            if (Number.isNaN(total)) continue;
            const { lower, upper } = activity.computeUntil(endpoint_ref, midnights[index] ?? 0);
            expect(total).toBeCloseTo((lower + upper) / 2, 3);
            known += 1;
          }
        }
      }
    },
  );
  expect(known).toBeGreaterThan(150);
});
