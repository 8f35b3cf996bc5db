import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { planCommand } from '../../src/cli/plan.ts';
import { readKnownFleets } from '../../src/history/fleet/fleet-size.ts';
import { estimateHistoryBytes } from '../../src/history/fleet/size-estimate.ts';
import { collectors } from '../../src/resources/collector.ts';
import type { MeterAmounts } from '../../src/resources/meter.ts';
import { makeFakeIo } from '../cli/fake-io.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { consumptionReading } from '../support/meter-builder.ts';
import { answerMeter } from '../support/metered-service.ts';
import { isLong } from '../support/seed.ts';

const day = 86_400;
const dayMs = day * 1000;

/** Bytes that a plan for a fleet says, but for what is there of each project from the first reading on. */
async function planBytes(fleet: {
  readonly projects: number;
  readonly endpoints: number;
  readonly busyShare: number;
  readonly days: number;
}): Promise<number> {
  const { projects, endpoints, busyShare, days } = fleet;
  const keep = Object.fromEntries(
    ['SAMPLES', 'HOURS', 'DAYS', 'OPERATIONS'].map(kind => [`DBPM_HISTORY_KEEP_${kind}`, `${days}d`]),
  );
  const env = { ...keep, DBPM_COLLECT_SCHEDULE: '0 */2 * * * *' };
  const { io, printed } = makeFakeIo({ env });
  const sizes = ['--projects', projects, '--endpoints-per-project', (endpoints / projects).toFixed(3)];
  const flags = [...sizes, '--busy', `${(100 * busyShare).toFixed(2)}%`, '--format', 'json'].map(String);
  await runCommandLine(io, ['plan', ...flags], [planCommand(io)]);
  expect(printed.stderr).toBe('');
  const { samples, hours, days: ofDays, operations } = JSON.parse(printed.stdout).accounts[0].history_bytes;
  return samples + hours + ofDays + operations;
}

// Of smaller fleets and fewer days the pages that are not full are too large a part.
test.skipIf(!isLong).each([
  { projects: 20, days: 7 },
  { projects: 100, days: 2 },
])(
  'the size that a plan says of $projects projects and $days days is the size they get, within a quarter',
  async ({ projects, days }) => {
    using life = new LivedHistory({ now: Date.UTC(2026, 9, 1) / 1000, seed: 3, projects, historyDays: 1 });
    const pace = { listEverySeconds: 120, projectsEvery: 5 };
    life.watch(3600, pace);
    life.restart();
    const before = statSync(life.folder.file).size;
    life.watch(days * day, pace);
    while (life.history.upkeep(life.now));
    life.restart();
    const grown = statSync(life.folder.file).size - before;
    const active = life
      .truth()
      .projects.flatMap(({ endpoints }) => endpoints.map(({ state_seconds }) => state_seconds));
    const awakeSeconds = active.reduce((sum, { active: seconds = 0 }) => sum + seconds, 0);
    const known = readKnownFleets(life.folder.file).get('main');
    if (known === undefined) throw new Error('the history knows no fleet');
    // Endpoints that are awake at the same time make one sample.
    const busyShare = Math.min(1, awakeSeconds / (known.projects * (days + 1) * day));
    const ratio = (await planBytes({ ...known, busyShare, days })) / grown;
    expect(ratio).toBeGreaterThan(0.75);
    expect(ratio).toBeLessThan(1.25);
  },
  300_000,
);

test('so is what the meter of the service adds to it', () => {
  using folder = new HistoryFolder();
  const days = 12;
  const hourOf = (hour: number): MeterAmounts => ({
    compute_unit_seconds: (hour * 97) % 3600,
    root_branch_bytes_month: 3_000_000 + hour,
    child_branch_bytes_month: 1_000_000 + hour,
    instant_restore_bytes_month: 500_000 + hour,
    public_network_transfer_bytes: 9_000_000 + hour,
  });
  const projects = Array.from({ length: 15 }, (_, index) => ({
    project_id: `shy-block-${index}`,
    fromAt: 0,
    hours: Array.from({ length: 24 * days }, (_, hour) => hourOf(hour)),
  }));
  let history = folder.open({ collectors: [...collectors, 'consumption'] });
  folder.close(history);
  const before = statSync(folder.file).size;
  history = folder.open({ collectors: [...collectors, 'consumption'] });
  for (let now = dayMs; now <= days * dayMs; now += dayMs) {
    for (const granularity of ['hourly', 'daily'] as const) {
      const wire = answerMeter(projects, { granularity, fromAt: now - dayMs, untilAt: now }, now, 0);
      history.commitOne(consumptionReading(now, wire, { granularity }));
    }
  }
  folder.close(history);
  const grown = statSync(folder.file).size - before;
  const fleet = { projects: 15, endpoints: 0, busyShare: 0, operationsPerDay: 0, listPollMs: 1 };
  const keep = { samples: 0, hours: days * dayMs, days: days * dayMs, operations: 0 };
  const bytes = (isMetered: boolean) => {
    const { hours, days: ofDays } = estimateHistoryBytes({ ...fleet, isMetered }, keep);
    return hours + ofDays;
  };
  const ratio = (bytes(true) - bytes(false)) / grown;
  expect(ratio).toBeGreaterThan(0.67);
  expect(ratio).toBeLessThan(1.5);
});
