import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { computeOf } from '../../src/history/usage/compute-query.ts';
import { UsageQuery } from '../../src/history/usage/usage-query.ts';
import { cpuUsedSecondsEver } from '../../src/simulator/model/endpoint.ts';
import { createFleet } from '../../src/simulator/model/fleet.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { casesOf } from '../support/seed.ts';

const hour = 3600;
const installed = Date.UTC(2026, 9, 21) / 1000;
const historyDays = 15;
const hours = historyDays * 24;
const firstHour = installed - hours * hour;
const pace = { listEverySeconds: 1200, projectsEvery: 2 };

test.each(casesOf(31, 33, 34))(
  'what was used before the installation lies within the bounds of each hour and day, no further from the truth (seed %i)',
  seed => {
    using life = new LivedHistory({ now: installed, seed, projects: 12, historyDays });
    const truth = recordTruth(seed);
    life.watch(6 * hour, pace);
    life.restart();
    life.miss(createRandom(seed, 'down').integer(6, 40) * hour);
    life.watch(2 * hour, pace);

    using database = new OpenFile(life.folder.file);
    const usage = new UsageQuery(database.connection);
    const compute = computeOf(database.connection);
    let compared = 0;
    const off = { now: 0, before: 0 };
    for (const { project_ref, project_id } of usage.projects) {
      const at = (index: number) => (firstHour + index * hour) * 1000;
      const used = (index: number) => usage.usedUntil(project_ref, at(index));
      const bounds = (index: number) => compute.project(project_ref, at(index));
      const whole = grown(bounds(0), bounds(hours));
      const total = used(hours) - used(0);
      // Where it lies without the bounds of all the time, no part of it can lie within its own.
      if (total < whole.lower || total > whole.upper || whole.lower === 0) continue;
      compared += 1;
      for (const step of [1, 24]) {
        for (let index = 0; index < hours; index += step) {
          const { lower, upper } = grown(bounds(index), bounds(index + step));
          const part = used(index + step) - used(index);
          const isWithin = part >= lower - 2 && part <= upper + 2;
          expect({ project_id, index, step, part, lower, upper, isWithin }).toMatchObject({ isWithin: true });
        }
      }
      const evenly = (index: number) => {
        const { lower, upper } = grown(bounds(0), bounds(index));
        return (total * (lower + upper)) / (whole.lower + whole.upper);
      };
      for (let index = 1; index < hours; index += 1) {
        const real = ((truth.get(project_id)?.[index] ?? 0) - (truth.get(project_id)?.[0] ?? 0)) * 1000;
        off.now += Math.abs(used(index) - used(0) - real);
        off.before += Math.abs(evenly(index) - real);
      }
    }
    expect(compared).toBeGreaterThan(6);
    expect(off.now).toBeLessThanOrEqual(off.before * 1.001);
  },
);

/** Compute seconds each project of the same fleet had used at the beginning of every hour before the installation. */
function recordTruth(seed: number): ReadonlyMap<string, readonly number[]> {
  const account = createFleet({
    ...{ seed, projects: 12, historyDays, apiKey: 'key', plan: 'paid' },
    now: installed,
  });
  const rows = new Map<string, number[]>();
  for (let index = 0; index <= hours; index += 1) {
    account.timeline.advanceTo(firstHour + index * hour);
    for (const project of account.projects.values()) {
      const row = rows.get(project.id) ?? new Array<number>(index).fill(0);
      rows.set(project.id, row);
      row.push(cpuUsedSecondsEver(project));
    }
  }
  return rows;
}

interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

function grown(before: Bounds, after: Bounds): Bounds {
  return { lower: after.lower - before.lower, upper: after.upper - before.upper };
}

class OpenFile implements Disposable {
  readonly connection: Database.Database;

  constructor(file: string) {
    this.connection = new Database(file, { readonly: true });
  }

  [Symbol.dispose](): void {
    this.connection.close();
  }
}
