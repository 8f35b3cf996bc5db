import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { exportCommand } from '../../src/cli/export.ts';
import { findShard } from '../../src/resources/shard.ts';
import { readTimedSamples } from '../support/backfill-export.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  apiKeysReading,
  importReading,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireKey,
  wireProject,
} from '../support/reading-builder.ts';
import { startWriteReceiver } from '../support/write-receiver.ts';
import { makeFakeIo } from './fake-io.ts';

const ids = Array.from({ length: 6 }, (_, index) => `prj-${index}`);
const shardCount = 3;
const untilAt = startAt + 10 * minute;

let folder: HistoryFolder;
beforeEach(() => {
  folder = new HistoryFolder();
  const whole = folder.open();
  whole.commitOne(projectsReading(startAt, listProjects(100)));
  whole.commitOne(apiKeysReading(startAt, [wireKey(1)]));
  for (const id of ids) {
    whole.commitOne(importReading(startAt, id, []));
    whole.commitOne(projectReading(startAt, id, { endpoints: [], operations: [] }));
  }
  whole.commitOne(projectsReading(startAt + 4 * minute, listProjects(160)));
  folder.close(whole);
  for (let index = 0; index < shardCount; index += 1) splitOff(index);
  const later = folder.open();
  later.commitOne(projectsReading(untilAt, listProjects(400)));
  folder.close(later);
});
afterEach(() => folder[Symbol.dispose]());

function listProjects(used: number, isMeant: (id: string) => boolean = () => true) {
  const created_at = '2026-11-21T10:00:00Z';
  return ids.filter(isMeant).map(id => wireProject(id, { created_at, cpu_used_sec: used }));
}

/** A copy of the history becomes that of a shard, which goes on with its projects. */
function splitOff(index: number): void {
  const file = shardFile(index);
  copyFileSync(folder.file, file);
  const shard = { index, count: shardCount };
  const history = folder.open({
    file,
    shard,
    projects: new Map([['main', { include: ['*'], exclude: [], shard }]]),
  });
  const isOwn = (id: string) => findShard(id, shardCount) === index;
  history.commitOne(projectsReading(untilAt, listProjects(400, isOwn)));
  folder.close(history);
}

function shardFile(index: number): string {
  return join(folder.path, `shard-${index}.sqlite`);
}

async function run(...argv: readonly string[]) {
  const { io, printed } = makeFakeIo();
  const command = exportCommand({ ...io, stdoutTaken: async () => true }, () => untilAt);
  const exitCode = await runCommandLine(io, ['export', ...argv], [command]);
  return { exitCode, stdout: printed.stdout, stderr: printed.stderr.replaceAll(folder.path, 'DIR') };
}

const pattern = () => ['--history.file', join(folder.path, 'shard-*.sqlite')];
const byShard = ['--label', 'instance=shard-{shard}:10062'];
const metric = (name: string) => ['--metric', name];

/** What a counter grew by from the beginning until each instant; of several series their sum. */
function sumIncreases(text: string): readonly number[] {
  const bySeries = Map.groupBy(readTimedSamples(text), ({ labels }) => labels);
  const sums: number[] = [];
  for (const samples of bySeries.values())
    for (const [index, { value }] of samples.entries())
      sums[index] = (sums[index] ?? 0) + value - (samples[0]?.value ?? 0);
  return sums;
}

test('shards have the instance they are scraped under, and each project is shown by one of them', async () => {
  const { exitCode, stdout, stderr } = await run(...pattern(), ...byShard, ...metric('dbpm_project_info'));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const shown = readTimedSamples(stdout).filter(({ at }) => at === untilAt - 5 * minute);
  const found = shown.map(({ labels }) => /project_id="([^"]*)".*instance="([^"]*)"/.exec(labels)?.slice(1));
  expect(found.toSorted()).toEqual(ids.map(id => [id, `shard-${findShard(id, shardCount)}:10062`]));
  expect(stdout.match(/^# TYPE/gm)).toHaveLength(1);
  expect(stdout.match(/^# EOF/gm)).toHaveLength(1);
});

test('what shards began with as a copy is in no increase of an account twice', async () => {
  const used = metric('dbpm_account_cpu_used_seconds_total');
  const [shards, whole] = await Promise.all([
    run(...pattern(), ...byShard, ...used),
    run('--history.file', folder.file, ...used),
  ]);
  const increases = sumIncreases(whole.stdout);
  expect(increases.at(-1)).toBe(6 * 300);
  expect(sumIncreases(shards.stdout)).toEqual(increases);
});

test('API keys come from the shard that reads them', async () => {
  const { stdout } = await run(...pattern(), ...byShard, ...metric('dbpm_api_key_info'));
  expect(new Set(readTimedSamples(stdout).map(({ labels }) => /shard-\d/.exec(labels)?.[0]))).toEqual(
    new Set(['shard-0']),
  );
});

test('a shard whose history is not there is named once all others are written', async () => {
  const files = [0, 2].flatMap(index => ['--history.file', shardFile(index)]);
  const { exitCode, stdout, stderr } = await run(...files, ...byShard, ...metric('dbpm_project_info'));
  expect({ exitCode, stderr }).toEqual({
    exitCode: 3,
    stderr: 'dbpm-exporter: the history of shard 1/3 is not there: its projects were left out\n',
  });
  expect(stdout.endsWith('# EOF\n')).toBe(true);
});

test('shards have the cost that their pages have: none where prices are those of a whole account', async () => {
  const cost = metric('dbpm_account_period_cost');
  const exportPriced = async (terms: string) => {
    const prices = `{from: 2026-01-01, per_compute_hour: 3600}`;
    const plans = `plans: [{name: all, prices: [${prices}]${terms}}]`;
    const config = join(folder.path, 'prices.yaml');
    writeFileSync(config, `pricing: {currency: EUR, ${plans}}`);
    const { stdout } = await run(...pattern(), ...byShard, ...cost, '--config.file', config);
    const shown = readTimedSamples(stdout).filter(({ at }) => at === untilAt);
    return shown.map(({ value }) => value).toSorted((a, b) => a - b);
  };
  expect(await exportPriced('')).toEqual([400, 800, 1200]);
  expect(await exportPriced(', base_fee: 19')).toEqual([]);
});

test('files tell histories apart that are of no shard', async () => {
  const file = join(folder.path, 'other.sqlite');
  const other = folder.open({ file, accounts: ['other'] });
  other.commitOne(projectsReading(startAt, listProjects(100), { account: 'other' }));
  folder.close(other);
  const files = ['--history.file', folder.file, '--history.file', file];
  const { stdout } = await run(...files, '--label', 'instance={file}:1', ...metric('dbpm_project_info'));
  const found = readTimedSamples(stdout).map(({ labels }) =>
    /account="(\w+)".*instance="([^"]*)"/.exec(labels)?.slice(1).join(' '),
  );
  expect(new Set(found)).toEqual(new Set(['main dbpm:1', 'other other:1']));
});

test('all are sent to a receiver at once, each sample with its labels', async () => {
  const receiver = await startWriteReceiver();
  onTestFinished(receiver.close);
  const asked = [...byShard, ...metric('dbpm_project_cpu_used_seconds_total')];
  const { stdout } = await run(...pattern(), ...asked);
  expect(await run(...pattern(), ...asked, '--remote-write', receiver.url)).toMatchObject({ exitCode: 0 });
  const sent = [...receiver.kept.values()].flatMap(samples =>
    [...samples].filter(([, value]) => !Number.isNaN(Number(value))),
  );
  expect(sent.length).toBe(readTimedSamples(stdout).length);
  expect(receiver.kept.size).toBe(ids.length);
  expect(readdirSync(folder.path).filter(name => name.includes('remote-write'))).toEqual([]);
});

test.each([
  [
    [],
    "DIR/shard-0.sqlite and DIR/shard-1.sqlite would have series of the same names: tell them apart, as by --label 'instance=shard-{shard}:10062'",
  ],
  [
    ['--history.file', 'DIR/dbpm.sqlite', ...byShard],
    '--label instance: DIR/dbpm.sqlite is not the history of a shard: take {file}',
  ],
])('labels %j are refused where they do not tell histories apart', async (argv, message) => {
  const given = argv.map(each => each.replace('DIR', folder.path));
  expect(await run(...pattern(), ...given)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `dbpm-exporter: ${message}\n`,
  });
});
