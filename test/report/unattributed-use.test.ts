import { expect, test } from 'vitest';
import { readReportHistories } from '../../src/history/merge/report-reading.ts';
import { describeUnattributed } from '../../src/report/known-use.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  projectReading,
  projectsReading,
  type WireItem,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { runReport } from '../support/report-run.ts';

const at = (text: string) => Date.parse(`2026-${text}:00Z`);
const firstReadAt = at('10-10T12:00');

/** Two projects that are older than the daemon, one of them with a use; of some the operations are read. */
function describeFrom(from: string, read: Readonly<Record<string, readonly WireItem[]>>) {
  using folder = new HistoryFolder();
  const history = folder.open();
  const fields = { created_at: '2026-01-01T00:00:00Z' };
  const used = wireProject('p-used', { ...fields, cpu_used_sec: 5400 });
  history.commitOne(projectsReading(firstReadAt, [used, wireProject('p-idle', fields)]));
  for (const [id, endpoints] of Object.entries(read)) {
    const operations = [wireOperation(`of ${id}`, { created_at: '2026-02-01T00:00:00Z' })];
    history.commitOne(projectReading(firstReadAt, id, { endpoints, operations }));
  }
  const span = { label: 'then', fromAt: at(from), untilAt: at('11-01T00:00'), timezone: 'UTC' };
  return readReportHistories(
    [folder.file],
    accounts => accounts,
    past => describeUnattributed(past, span, 'reported', () => true),
  );
}

test('what is left out until it is imported is named with its account, how much is left to import and how much it is', () => {
  expect(describeFrom('10-01T00:00', {})).toEqual([
    'Account main is still being imported: the operations of 2 of 2 projects are left. 1.50 compute hours that 1 project used before 2026-10-10 12:00 are left out until then, with their cost and findings.',
  ]);
});

test('use that its operations say nothing of is left out, too', () => {
  expect(describeFrom('10-01T00:00', { 'p-used': [], 'p-idle': [] })).toEqual([
    'Account main: 1.50 compute hours that 1 project used before 2026-10-10 12:00 are left out, with their cost and findings. It is not known when they were used.',
  ]);
});

test('there is nothing to say once the states are known, and of a time since the first reading', () => {
  const endpoint = wireEndpoint('ep-1', { created_at: '2026-01-01T00:00:00Z' });
  expect(describeFrom('10-01T00:00', { 'p-used': [endpoint] })).toEqual([]);
  expect(describeFrom('10-10T12:00', {})).toEqual([]);
});

test('a page of a group says it of the projects of the group alone', async () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const fields = { created_at: '2026-01-01T00:00:00Z' };
  const used = wireProject('p-used', { ...fields, cpu_used_sec: 5400 });
  history.commitOne(projectsReading(firstReadAt, [used, wireProject('p-idle', fields)]));
  for (const id of ['p-used', 'p-idle']) {
    const operations = [wireOperation(`of ${id}`, { created_at: '2026-02-01T00:00:00Z' })];
    history.commitOne(projectReading(firstReadAt, id, { endpoints: [], operations }));
  }
  folder.close(history);
  const plans = 'plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.5}]}]';
  const groups = 'groups: {team: {used: {projects: [p-used]}, idle: {projects: [p-idle]}}}';
  const config = `pricing: {currency: EUR, ${plans}}\n${groups}\n`;
  const pageOf = async (group: string) => {
    const asked = { config, file: folder.file, now: firstReadAt + 60_000 };
    return (await runReport(`showback --period 2026-10 --group team/${group}`, asked)).stdout;
  };
  expect(await pageOf('used')).toContain('1.50 compute hours');
  expect(await pageOf('idle')).toContain('team/idle');
  expect(await pageOf('idle')).not.toContain('1.50 compute hours');
});
