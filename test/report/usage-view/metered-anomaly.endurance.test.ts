import { expect, test } from 'vitest';
import { UsageReader } from '../../../src/history/usage/usage-history.ts';
import { UsageCalculator } from '../../../src/report/usage-view/calculator.ts';
import { dayMs, hourMs } from '../../../src/resources/duration.ts';
import type { Granularity } from '../../../src/resources/meter.ts';
import { startSimulator } from '../../../src/simulator/server.ts';
import { addUpMetered, countMeteredAnomalies } from '../../quality/metered-anomaly-quality.ts';
import { seedsFrom } from '../../quality/quality-table.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { consumptionReading } from '../../support/meter-builder.ts';
import { projectsReading } from '../../support/reading-builder.ts';
import { usualUsage } from '../../support/usage-options.ts';

test('a jump that a later version of the service meters shows that day and the next, by project and network, and passes', async ({
  onTestFinished,
}) => {
  const world = { now: Date.UTC(2026, 9, 20, 13) };
  const simulator = await startSimulator({
    ...{ apiKey: 'key', api: 'later', projects: 5, seed: 3, plan: 'paid', historyDays: 40 },
    wallClock: () => world.now,
  });
  onTestFinished(() => simulator.close());
  using folder = new HistoryFolder();
  const history = folder.open({ accounts: ['main'] });
  const reader = new UsageReader(folder.file, ['main']);
  onTestFinished(() => reader.close());
  const calculator = new UsageCalculator({ ...usualUsage, historyFile: folder.file }, reader);
  const ask = async (path: string) => {
    const response = await fetch(simulator.base_url + path, { headers: { authorization: 'Bearer key' } });
    return (await response.json()) as { readonly projects: readonly { readonly id: string }[] };
  };
  const readMeter = async (granularity: Granularity, fromAt: number) => {
    const [from, to] = [fromAt, world.now].map(at => new Date(at).toISOString());
    const { projects } = await ask(
      `consumption_history/v2/projects?from=${from}&to=${to}&granularity=${granularity}&limit=100`,
    );
    history.commitOne(consumptionReading(world.now, projects, { granularity }));
  };
  /** The projects with anomalies some days later. */
  const lookAfter = async (days: number) => {
    world.now += days * dayMs;
    const { projects } = await ask('projects?limit=400');
    history.commitOne(projectsReading(world.now, projects, { account: 'main' }));
    const today = Math.floor(world.now / dayMs) * dayMs;
    await readMeter('daily', today - 39 * dayMs);
    await readMeter('hourly', Math.floor(world.now / hourMs) * hourMs - 6 * dayMs);
    calculator.analyze();
    const [account] = calculator.calculate()?.view.accounts ?? [];
    return { ids: projects.map(({ id }) => id), unusual: account?.projects };
  };
  const { ids } = await lookAfter(0);
  expect((await lookAfter(1)).unusual).toEqual([]);
  const [, project_id] = ids;
  const jump = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const body = JSON.stringify({ public_network_transfer_bytes: 60e9 });
  const added = await fetch(`${simulator.control_url}/projects/${project_id}/consumption`, { ...jump, body });
  expect(added.status).toBe(200);
  const anomalyMetered = { public_network_transfer_bytes: expect.closeTo(60e9, -9) };
  for (const days of [1 / 6, 1])
    expect((await lookAfter(days)).unusual).toEqual([{ account: 'main', project_id, anomalyMetered }]);
  expect((await lookAfter(1)).unusual).toEqual([]);
});

test('simulated fleets do what they do without a false alarm, and every jump shows that day', () => {
  const count = addUpMetered(seedsFrom(1, 12).map(seed => countMeteredAnomalies(seed)));
  expect(count.projectDays).toBeGreaterThan(9000);
  expect(count.alarms).toBe(0);
  expect(count.jumps).toBeGreaterThan(100);
  expect(count.found).toBe(count.jumps);
  const strict = { leastBytes: 1e6, leastBranches: 1, unit: 'month' } as const;
  const told = addUpMetered(seedsFrom(1, 12).map(seed => countMeteredAnomalies(seed, strict)));
  expect((told.alarms / told.projectDays) * 91).toBeLessThan(1);
}, 180_000);
