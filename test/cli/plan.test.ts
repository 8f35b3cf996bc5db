import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { planCommand } from '../../src/cli/plan.ts';
import { planPolls } from '../../src/poll/scheduler/poll-plan.ts';
import { collectors } from '../../src/resources/collector.ts';
import { findShard } from '../../src/resources/shard.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { consumptionReading } from '../support/meter-builder.ts';
import {
  apiKeysReading,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireKey,
  wireProject,
} from '../support/reading-builder.ts';
import { makeFakeIo } from './fake-io.ts';

const benchmarks = readFileSync(new URL('../../BENCHMARKS.md', import.meta.url), 'utf8');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dbpm-plan-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function plan(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { io, printed } = makeFakeIo({ env: { DBPM_HISTORY_FILE: join(folder, 'h.sqlite'), ...env } });
  const exitCode = await runCommandLine(io, ['plan', ...argv], [planCommand(io)]);
  const hide = (text: string) => text.replaceAll(folder, 'DIR');
  return { exitCode, stdout: hide(printed.stdout), stderr: hide(printed.stderr) };
}

/** Ten projects of account `main`, one of them awake, with fifteen endpoints and two keys. */
function recordTen(history: HistoryFolder): void {
  const opened = history.open();
  const ids = Array.from({ length: 10 }, (_, index) => `p${index}`);
  opened.commitOne(
    projectsReading(
      startAt,
      ids.map(id => wireProject(id)),
    ),
  );
  opened.commitOne(apiKeysReading(startAt, [wireKey(1), wireKey(2)]));
  for (const [index, id] of ids.entries()) {
    const first = wireEndpoint('ep-1', { current_state: index === 0 ? 'active' : 'idle' });
    const endpoints = index < 5 ? [first, wireEndpoint('ep-2')] : [first];
    opened.commitOne(projectReading(startAt, id, { endpoints, operations: [] }));
  }
  history.close(opened);
}

const accountFile = `
accounts:
  - name: main
    base_url: https://api.example.com/api/v2/
    api_key_env: MAIN_KEY
    requests_per_minute: 20
  - name: research
    base_url: https://api.example.com/api/v2/
    api_key_env: MAIN_KEY
collect:
  idle_refresh: 5m
series:
  mode: compact
`;

function writeConfig(): Record<string, string> {
  writeFileSync(join(folder, 'dbpm.yaml'), accountFile);
  return { DBPM_CONFIG_FILE: join(folder, 'dbpm.yaml'), MAIN_KEY: 'canary-key' };
}

describe('without any configuration', () => {
  test('a small fleet fits, and it is said with how much to spare', async () => {
    expect(await plan(['--projects', '100', '--busy', '10%'])).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: `\
Account main: 100 projects of 1 endpoint, 10% of them busy, as the flags say.
With requests_per_minute: 300, lists every 10s, idle projects every 15m, 400 projects on a page:

requests a minute      wanted  allowed
list of projects            6        6
list of API keys          0.2      0.2
projects that changed       2        2
busy projects             120      120
idle projects              12       12
together                140.2    140.2

list of projects read   every 10s
starts noticed after    6.5s for half of them, 12.5s for 99%
age of busy readings    5s for half of them, 10s for 99%
idle projects read      every 15m

series                          a project    all
series.mode: full (configured)         50  5,211
series.mode: compact                   17  1,911

The history grows to about 304.9 MB, once all of it is as old as it is kept: raw readings 193.6 MB, hours 5.7 MB, days 11.4 MB, operations 94 MB.

The budget is enough, with 141.1 requests a minute to spare.
`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a fleet that is too large is told what to change to what', async () => {
    const { exitCode, stdout } = await plan(['--projects', '20000', '--requests-per-minute', '700']);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`\
Account main: 20,000 projects of 1 endpoint, 5% of them busy, as the flags say.
With requests_per_minute: 700, lists every 10s, idle projects every 15m, 400 projects on a page:

requests a minute        wanted  allowed
list of projects            300      210
list of API keys            0.2      0.2
projects that changed       200      200
busy projects            12,000    181.5
idle projects           2,533.3     78.1
together               15,033.5    669.8

list of projects read   every 14.3s
starts noticed after    8.6s for half of them, 16.8s for 99%
age of busy readings    5m31s for half of them, 11m1s for 99%
idle projects read      every 5h4m, three times in four by their operations alone

series                          a project        all
series.mode: full (configured)         50  1,000,211
series.mode: compact                   17    340,211

The history grows to about 27.7 GB, once all of it is as old as it is kept: raw readings 13.7 GB, hours 637.5 MB, days 2.3 GB, operations 11 GB.

The budget is too small: the list of projects is read every 14.3s instead of every 10s (collect.schedule) and idle projects are read every 5h4m instead of every 15m (collect.idle_refresh). Write requests_per_minute: 9794 or more, or be content with collect.schedule: "*/15 * * * * *" and collect.idle_refresh: 4h58m.
`);
  });

  test('busy projects that are read more rarely than the list are no promise broken, and it is said what they would take', async () => {
    const { stdout } = await plan(['--projects', '100', '--busy', '50%']);
    expect(stdout).toMatch(
      /\nThe budget is enough for the list and for idle projects\. Busy projects are read every 23\.2s instead of every 10s: as often as the list with requests_per_minute: 653\.\n$/,
    );
  });

  test('branches are counted where they are read', async () => {
    const env = { DBPM_COLLECT_BRANCHES: 'on' };
    expect((await plan(['--projects', '1000'], env)).stdout).toContain(
      'branches read           every 6h, 2.8 requests a minute besides\n',
    );
    expect((await plan(['--projects', '9000'], env)).stdout).toContain(
      'branches read           every 15h, 10 requests a minute besides\n',
    );
    expect((await plan(['--projects', '1000'])).stdout).not.toContain('branches');
    const { stdout } = await plan(['--projects', '360', '--format', 'json'], env);
    expect(JSON.parse(stdout).accounts[0].branches).toEqual({
      requests_per_minute: 1,
      every_seconds: 21_600,
    });
  });

  test('its figures are those of the plan, rounded for people and whole for programs', async () => {
    const flags = ['--projects', '1000', '--page-size', '100', '--endpoints-per-project', '2'];
    const { stdout } = await plan([...flags, '--format', 'json']);
    const planned = planPolls({
      projects: 1000,
      busyShare: 0.05,
      pageSize: 100,
      requestsPerMinute: 300,
      scheduleMs: 10_000,
      idleRefreshMs: 900_000,
      apiKeysRefreshMs: 300_000,
      collectors,
    });
    const { wanted, allowed } = planned;
    expect(JSON.parse(stdout)).toEqual({
      accounts: [
        {
          account: 'main',
          source: 'as the flags say',
          projects: 1000,
          endpoints_per_project: 2,
          busy_share: 0.05,
          api_keys: 1,
          page_size: 100,
          requests_per_minute: {
            budget: 300,
            wanted: { ...wanted, together: planned.wantedPerMinute },
            allowed: { ...allowed, together: planned.allowedPerMinute },
          },
          freshness: {
            sweep_interval_seconds: 10,
            start_noticed_seconds: { p50: 6.5, p99: 12.5 },
            busy_age_seconds: { p50: planned.busyAgeMs.p50 / 1000, p99: planned.busyAgeMs.p99 / 1000 },
            idle_interval_seconds: planned.idleIntervalMs / 1000,
            light_readings: true,
          },
          series: { full: { project: 69, total: 69_211 }, compact: { project: 25, total: 25_211 } },
          history_bytes: {
            samples: 971_415_000,
            hours: 31_875_000,
            days: 171_562_500,
            operations: 550_800_000,
            present: 2_000_000,
          },
          advice: {
            enough: false,
            lists_in_time: true,
            idle_in_time: false,
            enough_requests_per_minute: 554,
            ample_requests_per_minute: 830,
            affordable_idle_refresh_seconds: 32 * 60,
            says: 'The budget is too small: idle projects are read every 31m36s instead of every 15m (collect.idle_refresh). Write requests_per_minute: 554 or more, or be content with collect.idle_refresh: 32m.',
          },
        },
      ],
    });
  });
});

describe('with a configuration', () => {
  test('what is not read is not planned for', async () => {
    const { stdout } = await plan(['--projects', '1000'], { DBPM_COLLECT_COLLECTORS: 'projects' });
    expect(stdout.split('\n').slice(3)).toEqual([
      'requests a minute      wanted  allowed',
      'list of projects           18       18',
      'list of API keys            0        0',
      'projects that changed       0        0',
      'busy projects               0        0',
      'idle projects               0        0',
      'together                   18       18',
      '',
      'list of projects read   every 10s',
      '',
      'series                          a project    all',
      'series.mode: full (configured)          8  8,037',
      'series.mode: compact                    5  5,037',
      '',
      'The history grows to about 1.1 GB, once all of it is as old as it is kept: raw readings 947.7 MB, hours 10.2 MB, days 114.4 MB, operations 0 MB.',
      '',
      'The budget is enough, with 263.3 requests a minute to spare.',
      '',
    ]);
  });

  test('the meter of the service is planned for where it is read, or was', async () => {
    const sizes = ['--projects', '240', '--format', 'json'];
    const readPlan = async (...asked: Parameters<typeof plan>) =>
      JSON.parse((await plan(...asked)).stdout).accounts[0];
    const without = await readPlan(sizes);
    expect(without.meter).toBeUndefined();
    const withMeter = await readPlan(sizes, { DBPM_COLLECT_CONSUMPTION: 'on' });
    expect(withMeter.meter).toEqual({
      requests_per_minute: 10,
      requests_each_hour: 3,
      requests_each_day_besides: 6,
    });
    expect(withMeter.history_bytes.hours - without.history_bytes.hours).toBeCloseTo(240 * 24 * 400 * 57.5, 0);
    expect(withMeter.history_bytes.days - without.history_bytes.days).toBeCloseTo(240 * 1830 * 100, 0);
    expect((await plan(['--projects', '240'], { DBPM_COLLECT_CONSUMPTION: 'on' })).stdout).toContain(
      'The meter of the service takes 3 requests each hour and 6 more each day, besides and at most 10 a minute.',
    );
    using history = new HistoryFolder();
    recordTen(history);
    const metered = history.open({ collectors: [...collectors, 'consumption'] });
    metered.commitOne(consumptionReading(startAt, []));
    history.close(metered);
    const known = { DBPM_HISTORY_FILE: history.file };
    expect((await readPlan(['--format', 'json'], known)).meter?.requests_each_hour).toBe(1);
    const off = { ...known, DBPM_COLLECT_CONSUMPTION: 'off' };
    expect((await readPlan(['--format', 'json'], off)).meter).toBeUndefined();
  });

  test('the history says how large the fleet is, the configuration how it is watched', async () => {
    using history = new HistoryFolder();
    recordTen(history);
    const { exitCode, stdout } = await plan(['--history.file', history.file], {
      DBPM_BASE_URL: 'https://api.example.com/api/v2/',
      DBPM_API_KEY: 'canary-key',
      DBPM_REQUESTS_PER_MINUTE: '100',
      DBPM_COLLECT_SCHEDULE: '*/30 * * * * *',
      DBPM_SERIES_MODE: 'compact',
    });
    expect(exitCode).toBe(0);
    const [first, second, ...rest] = stdout.replaceAll(history.file, 'FILE').split('\n');
    expect(first).toBe('Account main: 10 projects of 1.5 endpoints, 10% of them busy, as FILE knows them.');
    expect(second).toBe(
      'With requests_per_minute: 100, lists every 30s, idle projects every 15m, 400 projects on a page:',
    );
    // 205 of the account, 17 + 8 / 2 for each project, 6 for each key.
    expect(rest).toContain('series.mode: compact (configured)         21  427');
    expect(readdirSync(history.path).sort()).toEqual(['dbpm.sqlite', 'dbpm.sqlite.lock']);
  });

  test('flags take the place of what the history says', async () => {
    using history = new HistoryFolder();
    recordTen(history);
    const { stdout } = await plan(['--history.file', history.file, '--busy', '100%']);
    expect(stdout.replaceAll(history.file, 'FILE').split('\n')[0]).toBe(
      'Account main: 10 projects of 1.5 endpoints, 100% of them busy, as FILE and the flags say.',
    );
  });

  test('an account the history does not know yet is named, after the plans of the others', async () => {
    using history = new HistoryFolder();
    recordTen(history);
    const { exitCode, stdout, stderr } = await plan(['--history.file', history.file], writeConfig());
    expect(exitCode).toBe(3);
    expect(stdout).toContain('Account main: 10 projects');
    expect(stdout).not.toContain('research:');
    expect(stderr.replace(history.file, 'FILE')).toBe(
      'dbpm-exporter: the history FILE knows no projects of research yet: say how many to plan for with --projects\n',
    );
  });

  test('--projects plans for every account, each with its own budget', async () => {
    const { exitCode, stdout } = await plan(['--projects', '50'], writeConfig());
    expect(exitCode).toBe(0);
    expect(stdout.match(/^(Account|With) .*:/gm)).toEqual([
      'Account main:',
      'With requests_per_minute: 20, lists every 10s, idle projects every 5m, 400 projects on a page:',
      'Account research:',
      'With requests_per_minute: 300, lists every 10s, idle projects every 5m, 400 projects on a page:',
    ]);
  });
});

describe('what cannot be planned', () => {
  test('a fleet nobody knows: it is said how to name its size, and nothing is created', async () => {
    expect(await plan([])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'dbpm-exporter: the history DIR/h.sqlite knows no projects: say how many to plan for with --projects\n',
    });
    expect(existsSync(join(folder, 'h.sqlite'))).toBe(false);
  });

  test.each([
    ['--busy', '0.05', 'write a share of the projects from 0% to 100%, such as 5%'],
    ['--busy', '101%', 'write a share of the projects from 0% to 100%, such as 5%'],
    ['--endpoints-per-project', 'two', 'write a number such as 1 or 1.5'],
    ['--projects', '-1', 'write a whole number from 0 to 1000000'],
    ['--requests-per-minute', '0', 'write a whole number from 1 to 1000000'],
  ])('%s %s', async (flag, found, expected) => {
    expect(await plan([flag, found])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `dbpm-exporter: ${flag}: found "${found}", ${expected}\n`,
    });
  });

  test('a configuration with problems: all of them are printed', async () => {
    const { exitCode, stderr } = await plan(['--projects', '5'], {
      DBPM_COLLECT_IDLE_REFRESH: '15 minutes',
      DBPM_SERIES_MODE: 'tiny',
    });
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      'environment: DBPM_COLLECT_IDLE_REFRESH: found "15 minutes", write a duration such as 30s, 15m or 45d\n' +
        'environment: DBPM_SERIES_MODE: found "tiny", write full or compact\n',
    );
  });
});

describe('shards', () => {
  interface Document {
    readonly accounts: readonly {
      readonly projects: number;
      readonly requests_per_minute: { readonly budget: number; readonly wanted: { readonly lists: number } };
      readonly shards?: {
        readonly count: number;
        readonly projects: number;
        readonly memory_bytes_of_each: number;
        readonly series: number;
        readonly stored_bytes_a_day: number;
        readonly stored_bytes_a_day_in_victoriametrics: number;
        readonly proven_from: number;
      };
    }[];
  }
  const read = async (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { stdout, stderr } = await plan([...argv, '--format', 'json'], env);
    expect(stderr).toBe('');
    return (JSON.parse(stdout) as Document).accounts;
  };

  test('have a part of the projects and of the budget each, and the whole list', async () => {
    const [each] = await read(['--projects', '1000000', '--requests-per-minute', '20000', '--shards', '100']);
    expect(each).toMatchObject({
      projects: 10_000,
      shards: { count: 100, projects: 1_000_000, proven_from: 100 },
      requests_per_minute: { budget: 200, wanted: { lists: 15_000 } },
    });
  });

  test('are those of the configuration where no flag says otherwise, and their history knows one of them', async () => {
    using history = new HistoryFolder();
    recordTen(history);
    const env = {
      DBPM_BASE_URL: 'https://api.example.com/api/v2/',
      DBPM_API_KEY: 'k',
      DBPM_HISTORY_FILE: history.file,
      DBPM_SHARD: '0/2',
    };
    const [known] = await read([], env);
    const own = Array.from({ length: 10 }, (_, index) => `p${index}`).filter(id => findShard(id, 2) === 0);
    expect(known).toMatchObject({
      projects: own.length,
      shards: { count: 2, projects: 2 * own.length },
      requests_per_minute: { budget: 150 },
    });
  });

  // Resident memory of a daemon that was scraped every second, half a minute after its start, in MiB.
  test.each([
    [20, 170],
    [1000, 188],
    [3000, 210],
    [10_000, 220],
  ])('of %i projects take the memory that was measured, to an eighth', async (projects, measured) => {
    const [each] = await read(['--projects', String(2 * projects), '--shards', '2']);
    const planned = (each?.shards?.memory_bytes_of_each ?? 0) / 2 ** 20;
    expect(planned / measured).toBeGreaterThan(7 / 8);
    expect(planned / measured).toBeLessThan(9 / 8);
  });

  test('take an engine as many bytes for each of their samples as were measured where it takes most, rounded up', async () => {
    const measured = (engine: string) =>
      Number(new RegExp(`: ${engine} \\| ([\\d.]+) bytes/sample`).exec(benchmarks)?.[1]);
    const argv = ['--projects', '10000', '--requests-per-minute', '3000', '--shards', '3'];
    const shards = (await read(argv))[0]?.shards;
    const samples = ((shards?.series ?? 0) * 86_400) / 30;
    for (const [engine, bytes = 0] of [
      ['Prometheus, scraped late', shards?.stored_bytes_a_day],
      ['VictoriaMetrics, scraped late', shards?.stored_bytes_a_day_in_victoriametrics],
    ] as const) {
      expect(bytes / samples).toBeGreaterThanOrEqual(measured(engine));
      expect(bytes / samples).toBeLessThan(2 * measured(engine));
    }
    expect((await plan(argv)).stdout).toContain(
      'All of them show 500,733 series, which, scraped every 30s, take Prometheus up to 3.6 GB a day (2.5 bytes a sample) and VictoriaMetrics 288.4 MB a day (0.2 bytes a sample).',
    );
  });

  test('advise a budget for all of them', async () => {
    const { stdout } = await plan(['--projects', '10000', '--requests-per-minute', '700', '--shards', '3']);
    expect(stdout).toMatch(/^Each of 3 shards of account main: 3,334 of 10,000 projects of 1 endpoint/);
    const [, advised = ''] = /Write requests_per_minute: (\d+) or more/.exec(stdout) ?? [];
    const enough = await plan(['--projects', '10000', '--requests-per-minute', advised, '--shards', '3']);
    expect(enough.stdout).toContain('The budget is enough');
  });

  test.each(['0', '1001', 'x', '1.5'])('%s are a mistake', async shards => {
    const { exitCode, stderr } = await plan(['--projects', '10', '--shards', shards]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--shards');
  });
});
