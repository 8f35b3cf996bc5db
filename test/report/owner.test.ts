import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HistoryFolder } from '../support/history-folder.ts';
import { projectReading, projectsReading, wireProject } from '../support/reading-builder.ts';
import { runReport } from '../support/report-run.ts';

const hour = 3_600_000;
const beginAt = Date.parse('2026-11-01T00:00:00Z');
const readAt = beginAt + 20 * hour;

let folder: HistoryFolder;
beforeAll(() => {
  folder = new HistoryFolder();
  const history = folder.open();
  const created_at = '2026-11-01T00:00:00Z';
  const list = (at: number, hours: number) =>
    history.commitOne(
      projectsReading(at, [
        wireProject('a', { created_at, cpu_used_sec: 3600 * hours, org_id: 'org-1', org_name: 'Quiet Sea' }),
        wireProject('b', { created_at, cpu_used_sec: 7200 * hours, owner_id: 'person-41' }),
        wireProject('c', { created_at, cpu_used_sec: 1800 * hours }),
      ]),
    );
  history.commitOne(projectsReading(beginAt - hour, []));
  list(beginAt, 0);
  for (const id of ['a', 'b', 'c'])
    history.commitOne(projectReading(beginAt, id, { endpoints: [], operations: [] }));
  list(readAt, 2);
  for (const id of ['a', 'b', 'c'])
    history.commitOne(projectReading(readAt, id, { endpoints: [], operations: [] }));
  folder.close(history);
  writeFileSync(
    join(folder.path, 'dbpm.yaml'),
    `pricing:
  currency: USD
  plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 1}]}]
groups:
  team: {sea: {owners: ["Quiet *"]}, people: {owners: ["person-*"]}}
  whose: {by: owner}
  organisation: {by: organisation}
  by: {by: {owners: ["person-*"]}}
`,
  );
});
afterAll(() => folder[Symbol.dispose]());

const report = (...options: readonly string[]) =>
  runReport(['--period', '2026-11-01', ...options], {
    file: folder.file,
    now: readAt + 1000,
    configFile: join(folder.path, 'dbpm.yaml'),
  });

async function hoursBy(axis: string): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await report('usage', '--format', 'json', ...axis.split(' '));
  const { rows } = JSON.parse(stdout) as { rows: readonly Readonly<Record<string, string>>[] };
  return Object.fromEntries(rows.map(row => [row.owner ?? row.group, row.compute_hours]));
}

test('use is reported by whose projects are, where the service says so', async () => {
  expect(await hoursBy('--by owner')).toEqual({
    'Quiet Sea': '2.00',
    'person-41': '4.00',
    '(unknown)': '1.00',
  });
});

test('projects are grouped by whose they are', async () => {
  expect(await hoursBy('--by group')).toEqual({ sea: '2.00', people: '4.00', ungrouped: '1.00' });
});

test('groups can be those that projects belong to, with organisations by name', async () => {
  expect(await hoursBy('--by group --grouping whose')).toEqual({
    'Quiet Sea': '2.00',
    'person-41': '4.00',
    ungrouped: '1.00',
  });
  expect(await hoursBy('--by group --grouping organisation')).toEqual({
    'Quiet Sea': '2.00',
    ungrouped: '5.00',
  });
  // A group that is called so has conditions.
  expect(await hoursBy('--by group --grouping by')).toEqual({ by: '4.00', ungrouped: '3.00' });
});

test('each of them has a page, and one can be asked for by name', async () => {
  const pages = async (...options: readonly string[]) => {
    const { stdout, stderr } = await report('showback', '--format', 'markdown', ...options);
    return [...stdout.matchAll(/^# .*$/gm)].map(([title]) => title).concat(stderr.match(/--group:.*/) ?? []);
  };
  expect(await pages('--grouping', 'whose')).toEqual([
    expect.stringContaining('whose/Quiet Sea'),
    expect.stringContaining('whose/person-41'),
    expect.stringContaining('whose/ungrouped'),
  ]);
  expect(await pages('--group', 'whose/Quiet Sea')).toEqual([expect.stringContaining('whose/Quiet Sea')]);
  expect(await pages('--group', 'whose/Nobody')).toEqual([
    '--group: no project of the period belongs to "Nobody"',
  ]);
});
