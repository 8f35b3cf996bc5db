import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readKnownFleets } from '../../src/history/fleet/fleet-size.ts';
import { estimateHistoryBytes } from '../../src/history/fleet/size-estimate.ts';
import { LivedHistory } from '../support/lived-history.ts';

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
