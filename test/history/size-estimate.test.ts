import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readKnownFleets } from '../../src/history/fleet/fleet-size.ts';
import { estimateHistoryBytes } from '../../src/history/fleet/size-estimate.ts';
import { collectors } from '../../src/resources/collector.ts';
import type { MeterAmounts } from '../../src/resources/meter.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { consumptionReading } from '../support/meter-builder.ts';
import { answerMeter } from '../support/metered-service.ts';

const day = 86_400;
const dayMs = day * 1000;

test('the size a fleet is told its history will have is the size it gets, within a third', () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 1) / 1000, seed: 3, projects: 20, historyDays: 1 });
  life.watch(3600, { listEverySeconds: 120, projectsEvery: 5 });
  life.restart();
  const before = statSync(life.folder.file).size;
  life.watch(2 * day, { listEverySeconds: 120, projectsEvery: 5 });
  while (life.history.upkeep(life.now));
  life.restart();
  const grown = statSync(life.folder.file).size - before;
  const active = life
    .truth()
    .projects.flatMap(({ endpoints }) => endpoints.map(({ state_seconds }) => state_seconds));
  const awakeSeconds = active.reduce((sum, { active = 0 }) => sum + active, 0);
  const known = readKnownFleets(life.folder.file).get('main');
  if (known === undefined) throw new Error('the history knows no fleet');
  const { samples, hours, days, operations } = estimateHistoryBytes(
    {
      projects: known.projects,
      endpoints: known.endpoints,
      // Endpoints that are awake at the same time make one sample.
      busyShare: Math.min(1, awakeSeconds / (known.projects * 3 * day)),
      operationsPerDay: known.operationsPerDay * (7 / 3),
      listPollMs: 120_000,
    },
    { samples: 2 * dayMs, hours: 2 * dayMs, days: 2 * dayMs, operations: 2 * dayMs },
  );
  const ratio = (samples + hours + days + operations) / grown;
  expect(ratio).toBeGreaterThan(0.67);
  expect(ratio).toBeLessThan(1.5);
});

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
      history.record(consumptionReading(now, wire, { granularity }));
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
