import { createHash } from 'node:crypto';
import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockHistory } from '../../../src/history/file/lock.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import {
  apiKeysReading,
  day,
  minute,
  projectReading,
  projectsReading,
  wireEndpoint,
  wireKey,
  wireOperation,
  wireProject,
} from '../../support/reading-builder.ts';
import { reportOn } from '../../support/report-run.ts';
import { openTables } from './duck.ts';
import { exportTo } from './table-run.ts';

/** A name that is a path, a pattern and a partition at once. */
const account = `../eu=1/"x'%20*\n`;
const firstDay = Date.UTC(2026, 9, 1);
const minutes = (at: number) => new Date(at).toISOString();
const config = `
groups: {team: {web: {projects: [p]}}}
pricing:
  currency: EUR
  billing_period: {hours: 72, from: 2026-10-01}
  plans: [{name: all, minimum: 19, prices: [{from: 2026-01-01, per_compute_hour: 0.1234567}]}]
`;

let folder: HistoryFolder;
let out: string;
let configFile: string;
beforeAll(async () => {
  folder = new HistoryFolder();
  out = join(folder.path, 'lake');
  configFile = join(folder.path, 'dbpm.yaml');
  writeFileSync(configFile, config);
  const history = folder.open({ accounts: [account] });
  const options = { account };
  const keyOf = (at: number) =>
    wireKey(1, { last_used_at: minutes(at - minute), last_used_from_addr: '192.0.2.7' });
  // It moves to another address, and is not used any more.
  const restingKey = (at: number) =>
    wireKey(2, {
      created_at: minutes(firstDay - day),
      last_used_at: minutes(Math.min(at, firstDay + 1.25 * day) - minute),
      last_used_from_addr: at < firstDay + day ? '192.0.2.3' : '192.0.2.4',
    });
  for (let at = firstDay; at <= firstDay + 3.5 * day; at += day / 2) {
    const hours = (at - firstDay) / day;
    const owner = { owner_id: 'person-7', created_at: minutes(firstDay) };
    const project = wireProject('p', { ...owner, cpu_used_sec: hours * 3600, region_id: 'eu' });
    history.commitOne(projectsReading(at, [project], options));
    const ended = { created_at: minutes(at - 2000), updated_at: minutes(at) };
    const operations = [wireOperation(`op-${hours}`, { ...ended, endpoint_id: 'ep-1' })];
    history.commitOne(projectReading(at, 'p', { endpoints: [wireEndpoint('ep-1')], operations }, options));
    history.commitOne(apiKeysReading(at, [keyOf(at), restingKey(at), wireKey(3)], options));
  }
  while (history.upkeep(firstDay + 3.5 * day));
  folder.close(history);
});
afterAll(() => folder[Symbol.dispose]());

interface Manifest {
  readonly days: readonly {
    readonly day: string;
    readonly files: readonly { readonly path: string; readonly rows: number; readonly sha256: string }[];
  }[];
}
const readManifest = (from = out): Manifest => JSON.parse(readFileSync(join(from, 'manifest.json'), 'utf8'));
const listFiles = (from = out) => globSync('**/*.parquet', { cwd: from }).sort();

describe('tables of settled days', () => {
  test('are of whole days, each file once, and all in the manifest', async () => {
    const all = await exportTo(out, configFile, [folder.file]);
    expect(all).toMatchObject({ exitCode: 0, stderr: '' });
    expect(all.stdout).toMatch(/^3 days were added\.\nAccount .* is settled until 2026-10-04 11:00\.\n$/s);
    const { days } = readManifest();
    expect(days.map(each => each.day)).toEqual(['2026-10-01', '2026-10-02', '2026-10-03']);
    const listed = days.flatMap(({ files }) => files);
    expect(listed.map(({ path }) => path).sort()).toEqual(listFiles());
    for (const { path, sha256 } of listed)
      expect(
        createHash('sha256')
          .update(readFileSync(join(out, path)))
          .digest('hex'),
      ).toBe(sha256);
    const text = readFileSync(join(out, 'manifest.json'), 'utf8');
    // Files that the manifest lists are not written again.
    const [first] = listed;
    renameSync(join(out, first?.path ?? ''), join(folder.path, 'aside'));
    expect(await exportTo(out, configFile, [folder.file])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(out, 'manifest.json'), 'utf8')).toBe(text);
    expect(listFiles()).toHaveLength(listed.length - 1);
    renameSync(join(folder.path, 'aside'), join(out, first?.path ?? ''));
  });

  test('have the figures of reports to the last decimal, and no floats for money', async () => {
    using ask = await openTables([out], ['usage_hours', 'cost_lines', 'operations', 'projects', 'key_uses']);
    const line = 'cost --by account --format json --period 2026-10-01..2026-10-04';
    const { totals } = JSON.parse(await reportOn(configFile, [folder.file], line, firstDay + 3.5 * day));
    const cost = `SELECT round(round(sum(cost), 12), 2) AS cost, sum(used_seconds) AS used FROM cost_lines`;
    expect(await ask(cost)).toEqual([{ cost: totals.cost, used: '10800.000' }]);
    expect(await ask('SELECT kind, cost FROM cost_lines ORDER BY kind LIMIT 1')).toEqual([
      { kind: 'minimum', cost: '18.629629900000000000' },
    ]);
    expect(await ask(`SELECT DISTINCT typeof(cost) AS type, account FROM cost_lines`)).toEqual([
      { type: 'DECIMAL(38,18)', account },
    ]);
    expect(await ask('SELECT sum(compute_seconds) AS used, count(*) AS hours FROM usage_hours')).toEqual([
      { used: '10800.000', hours: '72' },
    ]);
    expect(
      await ask('SELECT project_id, project_name, group_name, region_id, day FROM projects LIMIT 1'),
    ).toEqual([
      { project_id: 'p', project_name: 'name of p', group_name: 'web', region_id: 'eu', day: '2026-10-01' },
    ]);
    expect(await ask(`SELECT count(*) AS count FROM operations`)).toEqual([{ count: '6' }]);
    // The name of a partition is that of the account.
    const partitioned = `SELECT DISTINCT account FROM read_parquet('${out}/usage_hours/*/*/*.parquet', hive_partitioning = true)`;
    expect(await ask(partitioned)).toEqual([{ account }]);
  });

  test('have the last use of a key, and the key, that the report tells, where it lies in a settled day', async () => {
    using ask = await openTables([out], ['key_uses']);
    const line = 'keys --format json --period 2026-10-01..2026-10-04';
    const { rows } = JSON.parse(await reportOn(configFile, [folder.file], line, firstDay + 3.5 * day));
    const settled = rows.filter(({ last_used_at }: { last_used_at: string | null }) => {
      const at = Date.parse(last_used_at ?? '');
      return at < firstDay + 3 * day;
    });
    expect(settled).toMatchObject([{ key_id: '2', last_used_at: '2026-10-02T05:59:00Z' }]);
    const cells = ({ key_id, key_name, created_at, last_used_at }: Record<string, string>) => ({
      ...{ key_id, key_name, created_at, last_used_at },
    });
    const asTold = "strftime(%s AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ')";
    const used = await ask(
      `SELECT key_id, any_value(key_name) AS key_name, ${asTold.replace('%s', 'any_value(key_created_at)')} AS created_at,
         ${asTold.replace('%s', 'max(last_used_at)')} AS last_used_at
       FROM key_uses WHERE key_id <> '1' GROUP BY key_id`,
    );
    expect(used).toEqual(settled.map(cells));
  });

  test('name people and addresses only where that is asked for, and not both ways in a folder', async () => {
    const personal = `SELECT (SELECT max(owner_id) FROM projects) AS owner, (SELECT max(last_used_from_addr) FROM key_uses) AS address`;
    {
      using ask = await openTables([out], ['projects', 'key_uses']);
      expect(await ask(personal)).toEqual([{ owner: null, address: null }]);
    }
    expect(await exportTo(out, configFile, [folder.file], '--personal')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('was written without --personal'),
    });
    const other = join(folder.path, 'personal');
    await exportTo(other, configFile, [folder.file], '--personal');
    using ask = await openTables([other], ['projects', 'key_uses']);
    expect(await ask(personal)).toEqual([{ owner: 'person-7', address: '192.0.2.7' }]);
  });

  test('begin and end where that is asked for', async () => {
    const some = join(folder.path, 'some');
    const range = ['--from', '2026-10-01T12:00:00Z', '--to', '2026-10-03T00:00:00Z'];
    await exportTo(some, configFile, [folder.file], ...range);
    expect(readManifest(some).days.map(each => each.day)).toEqual(['2026-10-02']);
  });
});

test('a project has the creation of then in days before another was created in its place', async () => {
  using own = new HistoryFolder();
  const history = own.open();
  for (const [at, madeAt] of [
    [0, 0],
    [1, 0],
    [2, 1.5],
    [3.5, 1.5],
  ] as const) {
    const created_at = minutes(firstDay + madeAt * day);
    const project = wireProject('p', { created_at, cpu_used_sec: 3600 * at });
    history.commitOne(projectsReading(firstDay + at * day, [project]));
  }
  while (history.upkeep(firstDay + 3.5 * day));
  own.close(history);
  const empty = join(own.path, 'dbpm.yaml');
  writeFileSync(empty, '');
  const lake = join(own.path, 'lake');
  expect(await exportTo(lake, empty, [own.file])).toMatchObject({ exitCode: 0 });
  using ask = await openTables([lake], ['projects']);
  const made = "strftime(project_created_at AT TIME ZONE 'UTC', '%m-%dT%H:%M') AS made";
  expect(await ask(`SELECT day, ${made}, gone_at FROM projects ORDER BY day`)).toEqual([
    { day: '2026-10-01', made: '10-01T00:00', gone_at: null },
    { day: '2026-10-02', made: '10-02T12:00', gone_at: null },
    { day: '2026-10-03', made: '10-02T12:00', gone_at: null },
  ]);
});

describe('an export of tables that cannot be', () => {
  const refuse = async (flags: readonly string[], to = out) =>
    (await exportTo(to, configFile, [folder.file], ...flags)).stderr;

  test.each([
    [['--blocks', 'x'], '--blocks is not for --format parquet'],
    [['--step', '1m'], '--step is not for --format parquet'],
    [['--force'], '--force is not for --format parquet'],
    [['--account', 'nobody'], 'there is no account "nobody"'],
  ])('says so: %j', async (flags, sentence) => {
    expect(await refuse(flags)).toContain(sentence);
  });

  test('says what is wrong with its folder', async () => {
    const file = join(folder.path, 'a-file');
    writeFileSync(file, '');
    expect(await refuse([], file)).toContain(`${file} cannot be made`);
    const spoilt = join(folder.path, 'spoilt');
    await exportTo(spoilt, configFile, [folder.file], '--to', '2026-10-02T00:00:00Z');
    writeFileSync(configFile, `usage: {timezone: Europe/Berlin}\n${config}`);
    expect(await refuse([], spoilt)).toContain('are those of usage.timezone UTC, not of Europe/Berlin');
    writeFileSync(configFile, config);
    writeFileSync(join(spoilt, 'manifest.json'), '{"days": 7}');
    expect(await refuse([], spoilt)).toContain('is no manifest of an export');
  });

  test('waits for no other that writes there', async () => {
    const lock = lockHistory(join(out, 'manifest.json'), out);
    expect(await refuse([])).toContain('is another export to it running?');
    lock.release();
  });
});
