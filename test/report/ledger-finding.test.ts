import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectors, optionalCollectors } from '../../src/resources/collector.ts';
import { dayMs, hourMs } from '../../src/resources/duration.ts';
import { readCsv } from '../support/csv-reader.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { consumptionReading, wireConsumption, wireTimeframe } from '../support/meter-builder.ts';
import {
  instant,
  projectReading,
  projectsReading,
  wireEndpoint,
  wireOperation,
} from '../support/reading-builder.ts';
import { runReport } from '../support/report-run.ts';

const today = Date.UTC(2026, 10, 21);
const now = today + 14 * hourMs;
const startedAt = today - 30 * hourMs;

/**
 * Endpoints of one CU, awake since the 19th at 18:00: `right` by both ledgers, `unmetered` for a quarter by the meter, `set back` for
 * a quarter by its counter. That of `unseen` was not seen.
 */
const projects = {
  right: { used: 3600, metered: 3600 },
  unmetered: { used: 3600, metered: 900 },
  'set back': { used: 900, metered: 3600 },
  unseen: { used: 3600, metered: 36_000 },
};

let folder: HistoryFolder;
beforeAll(() => {
  folder = new HistoryFolder();
  const history = folder.open({ collectors: [...collectors, ...optionalCollectors] });
  for (let at = startedAt; at <= now; at += 3 * hourMs) {
    const seconds = (at - startedAt) / hourMs;
    const listed = Object.entries(projects).map(([id, { used }]) => ({
      ...{ id, name: `${id}\n|`, created_at: instant(startedAt), cpu_used_sec: used * seconds },
    }));
    history.commitOne(projectsReading(at, listed));
    for (const id of ['right', 'unmetered', 'set back']) {
      const sizes = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };
      const endpoints = [
        wireEndpoint(`ep ${id}`, { ...sizes, created_at: instant(startedAt), current_state: 'active' }),
      ];
      const times = { created_at: instant(startedAt), updated_at: instant(startedAt) };
      const operations = [
        wireOperation(`start ${id}`, { endpoint_id: `ep ${id}`, action: 'start_compute', ...times }),
      ];
      history.commitOne(projectReading(at, id, { endpoints, operations }));
    }
  }
  const hours = Array.from({ length: 24 }, (_, hour) => today - dayMs + hour * hourMs);
  const wire = Object.entries(projects).map(([id, { metered }]) =>
    wireConsumption(
      id,
      hours.map(at => wireTimeframe(at, at + hourMs, { compute_unit_seconds: metered })),
    ),
  );
  // Read twice, it is known not to grow any more.
  for (let times = 0; times < 2; times += 1) history.commitOne(consumptionReading(now, wire));
  folder.close(history);
});
afterAll(() => folder[Symbol.dispose]());

const report = (line: string, config = '') => runReport(line, { file: folder.file, now, config });

const doubtsIn = (csv: string) => readCsv(csv).rows.filter(({ kind }) => kind === 'ledgers_apart');
const prices =
  'pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.5}]}]}';

test('findings say of which projects the ledgers disagree, which is likely wrong, why, and what to do', async () => {
  const rows = doubtsIn((await report('findings --format csv', prices)).stdout);
  expect(rows.map(({ project_id, evidence }) => `${project_id}: ${evidence}`)).toEqual([
    'unseen: Of 2026-11-20 (UTC) the meter of the service tells 240 compute hours, the counter it reports 24 compute hours; when its endpoints were awake is not wholly known. Which of the two is wrong is not known.',
    'set back: Of 2026-11-20 (UTC) the meter of the service tells 24 compute hours, the counter it reports 6 compute hours; by the time its endpoints were awake it was 24.0. So the counter is likely wrong.',
    'unmetered: Of 2026-11-20 (UTC) the meter of the service tells 6 compute hours, the counter it reports 24 compute hours; by the time its endpoints were awake it was 24.0. So the meter is likely wrong.',
  ]);
  for (const { compute_hours_per_month, cost_per_month, endpoint_id } of rows)
    expect([compute_hours_per_month, cost_per_month, endpoint_id]).toEqual(['', '', '']);
  expect(rows.map(({ advice }) => advice?.split(/[,:;]/)[0])).toEqual([
    'Look whether the next days are like this one',
    'Go by the meter',
    "Ask the service's support about this project and this day",
  ]);
});

test('a table has them on lines of their own, with a note, and a hostile name does no harm', async () => {
  const { stdout } = await report('findings', prices);
  expect(stdout).toMatch(/^ledgers apart +main +unmetered +unmetered \| +no$/m);
  expect(stdout).toContain(
    '- Of 3 projects the meter of the service and the counter it reports tell other compute, so that one of them is wrong: see ledgers_apart. Nothing is saved by it.',
  );
  expect((await report('findings --by account', prices)).stdout).toContain('ledgers_apart');
});

test('a day before there was a meter has none, and somebody may not want to see them', async () => {
  expect(doubtsIn((await report('findings --period 2026-11-20 --format csv')).stdout)).toHaveLength(3);
  expect(doubtsIn((await report('findings --period 2026-11-19 --format csv')).stdout)).toEqual([]);
  const ignore = (entry: string) => report('findings --format csv', `findings: {ignore: [${entry}]}`);
  expect(doubtsIn((await ignore('{kinds: [ledgers_apart]}')).stdout)).toEqual([]);
  expect(doubtsIn((await ignore('{projects: [unseen]}')).stdout)).toHaveLength(2);
});
