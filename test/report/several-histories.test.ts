import { appendFileSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { planCommand } from '../../src/cli/plan.ts';
import { serveCommand } from '../../src/cli/serve.ts';
import { makeFakeIo } from '../cli/fake-io.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { markShard } from '../support/marked-shard.ts';
import { minute, projectsReading, wireProject } from '../support/reading-builder.ts';
import { reportOn, shardOf } from '../support/report-run.ts';

const hour = 3600;
const begin = Date.UTC(2026, 9, 5) / 1000;
const config = `
pricing:
  currency: USD
  plans:
    - name: all
      included: {compute_hours: 5, per: account}
      minimum: 1900
      prices: [{from: 2026-01-01, per_compute_hour: 0.16}]
`;

/** One account of two projects, each in a history of its own: `a` used 4 compute hours in October, `b` 2. */
class TwoShards implements Disposable {
  readonly folder = new HistoryFolder();
  readonly configFile = join(this.folder.path, 'dbpm.yaml');
  readonly files = ['a', 'b'].map(name => join(this.folder.path, `shard-${name}.sqlite`));
  readonly now: number = Date.UTC(2026, 10, 2);

  constructor() {
    writeFileSync(this.configFile, config);
    for (const [index, id] of ['a', 'b'].entries()) {
      const history = this.folder.open({ file: this.files[index] ?? '' });
      const list = (at: number, cpu_used_sec: number) =>
        history.commitOne(
          projectsReading(at, [wireProject(id, { cpu_used_sec, created_at: '2026-10-01T00:00:00Z' })]),
        );
      list(Date.UTC(2026, 9, 1), 0);
      list(Date.UTC(2026, 9, 20), (4 - 2 * index) * hour);
      // The second is not read any more from here on.
      if (index === 0) list(this.now - minute, 4 * hour);
      else list(Date.UTC(2026, 9, 30), 2 * hour);
    }
  }

  report(line: string, files: readonly string[] = this.files): Promise<string> {
    return reportOn(this.configFile, files, line, this.now);
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]();
  }
}

describe('histories that are reported as one', () => {
  test('an allowance applies once to an account, and a file that is behind is named', async () => {
    using shards = new TwoShards();
    const report = JSON.parse(await shards.report('cost --by account --format json --period 2026-10'));
    expect(report.rows).toMatchObject([
      { account: 'main', used_hours: '6.00', included_hours: '5.00', billed_hours: '1.00', cost: '0.16' },
    ]);
    expect(report.notes).toContain(
      `Of account main the projects of ${shards.files[1]} were last read at 2026-10-30 00:00: what these used since is not known.`,
    );
    expect(report.partial).toBe(true);
  });

  test('a pattern names all files it matches, each once, also copies', async () => {
    using shards = new TwoShards();
    const pattern = join(shards.folder.path, 'shard-*.sqlite');
    const line = 'usage --by project --format csv --period 2026-10';
    const listed = await shards.report(line);
    expect(listed).toContain('4.00');
    expect(await shards.report(line, [pattern])).toBe(listed);
    expect(await shards.report(line, [pattern, ...shards.files])).toBe(listed);
    copyFileSync(shards.files[0] ?? '', join(shards.folder.path, 'shard-copy.sqlite'));
    expect(await shards.report(line, [pattern])).toBe(listed);
  });

  test('files that are not there are named, and a daemon takes one alone', async () => {
    using shards = new TwoShards();
    const missing = join(shards.folder.path, 'shard-c.sqlite');
    expect(await shards.report('usage', [...shards.files, missing])).toContain(
      `${missing} is one which is not there`,
    );
    expect(await shards.report('usage', [join(shards.folder.path, 'none-*.sqlite')])).toContain(
      'a pattern that matches no file: correct it, or name a file that is there',
    );
    const { io, printed } = makeFakeIo({ env: { DBPM_BASE_URL: 'http://127.0.0.1:9', DBPM_API_KEY: 'key' } });
    const flags = shards.files.flatMap(file => ['--history.file', file]);
    await runCommandLine(io, ['serve', ...flags], [serveCommand(io)]);
    expect(printed.stderr).toContain('which are several files: a daemon writes one, name it alone');
  });

  test('a shard whose history is not there is named, unless a shard reports its own part', async () => {
    using shards = new TwoShards();
    const [first = '', second = ''] = shards.files;
    for (const [index, file] of shards.files.entries()) markShard(file, { index, count: 3 });
    const missing = async (line: string, files: readonly string[]) => {
      const { notes, partial } = JSON.parse(await shards.report(`${line} --format json`, files));
      return { notes: notes.filter((note: string) => note.includes('is not there')), partial };
    };
    const of = (named: string, what = 'nothing of its projects is known') => ({
      notes: [`The history of ${named} of account main is not there: ${what}.`],
      partial: true,
    });
    const use = 'usage --period 2026-10-05..2026-10-10';
    expect(await missing(use, [first, second])).toEqual(of('shard 2/3'));
    expect(await missing(use, [join(shards.folder.path, 'shard-a*.sqlite')])).toEqual(of('shards 1/3, 2/3'));
    expect(await missing('keys', [first])).toEqual({ notes: [], partial: false });
    expect(await missing('keys', [second])).toEqual(of('shard 0/3', 'its API keys are not as they are now'));
    appendFileSync(shards.configFile, 'shard: 0/3\n');
    expect(await missing(use, [first])).toEqual({ notes: [], partial: false });
  });

  test('a plan is for the fleet of all of them', async () => {
    using shards = new TwoShards();
    const { io, printed } = makeFakeIo();
    const backup = join(shards.folder.path, 'backup.sqlite');
    copyFileSync(shards.files[0] ?? '', backup);
    copyFileSync(`${shards.files[0]}-wal`, `${backup}-wal`);
    const flags = [...shards.files, backup].flatMap(file => ['--history.file', file]);
    await runCommandLine(io, ['plan', '--format', 'json', ...flags], [planCommand(io)]);
    expect(JSON.parse(printed.stdout)).toMatchObject({ accounts: [{ projects: 2 }] });
  });
});

test('a project that is moved from shard to shard has used as much as one that stays', async () => {
  using life = new LivedHistory({ now: begin, seed: 7, projects: 5, historyDays: 1 });
  const files = [0, 1].map(shard => join(life.folder.path, `shard-${shard}.sqlite`));
  const movedAt = (begin + 30 * hour) * 1000;
  for (const [shard, file] of files.entries()) {
    const history = life.folder.open({ file });
    const isOf = (id: string, shards: number) => shardOf(id, shards) === shard;
    life.parts.push({ history, watches: (id, now) => (now < movedAt ? isOf(id, 1) : isOf(id, 2)) });
  }
  life.watch(48 * hour, { listEverySeconds: 2 * hour, projectsEvery: 1 });
  const configFile = join(life.folder.path, 'dbpm.yaml');
  writeFileSync(configFile, config);
  const line = 'usage --by project --format json --period 2026-10';
  const used = async (from: readonly string[]) => {
    const { rows, totals } = JSON.parse(await reportOn(configFile, from, line, life.now));
    const cells = rows.map((row: Record<string, string>) => [row.project_id, row.compute_hours]);
    return { cells, total: totals.compute_hours };
  };
  const whole = await used([life.folder.file]);
  expect(whole.cells.length).toBeGreaterThan(3);
  expect(await used(files)).toEqual(whole);
});
