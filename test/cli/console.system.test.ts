import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { consoleCommand } from '../../src/cli/console.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { patience } from '../support/patience.ts';
import { minute, projectsReading, wireProject } from '../support/reading-builder.ts';
import { makeFakeIo } from './fake-io.ts';

const now = Date.now();

/** Two histories of one account, with a project each that was just read. */
class TwoHistories implements Disposable {
  readonly folder = new HistoryFolder();
  readonly files = ['a', 'b'].map(name => join(this.folder.path, `shard-${name}.sqlite`));

  constructor() {
    for (const [index, file] of this.files.entries()) {
      const shard = { index, count: 3 };
      const history = this.folder.open({ file, shard });
      history.commitOne(projectsReading(now - minute, [wireProject(`prj-${index}`)]));
      history.close();
    }
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]();
  }
}

/** Runs `console` until it is stopped. */
async function start(...flags: readonly string[]) {
  const { io, printed, stop, hangUp } = makeFakeIo();
  const argv = ['console', '--web.listen-address', '127.0.0.1:0', ...flags];
  const ended = runCommandLine(io, argv, [consoleCommand(io)]);
  await vi.waitFor(() => expect(printed.stdout).toContain('Open the console'), patience);
  const url = /http:\S+/.exec(printed.stdout)?.[0] ?? '';
  const json = async (path: string) => JSON.parse(await (await fetch(new URL(`/api/v1${path}`, url))).text());
  return {
    ...{ url, json, printed, hangUp },
    end: () => {
      stop();
      return ended;
    },
  };
}

let histories: TwoHistories;
let running: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  histories = new TwoHistories();
  running = await start('--history.file', join(histories.folder.path, 'shard-*.sqlite'));
});
afterAll(async () => {
  expect(await running.end()).toBe(0);
  // Nothing is left beside one that stayed where it was.
  const left = ['-wal', '-shm'].filter(suffix => existsSync(`${histories.files[0]}${suffix}`));
  expect(left).toEqual([]);
  histories[Symbol.dispose]();
});

describe('a console over histories', () => {
  test('shows their projects as one account, and names the shard that no file is of', async () => {
    const { projects } = await running.json('/projects');
    expect(projects.map(({ project_id }: { project_id: string }) => project_id).sort()).toEqual([
      'prj-0',
      'prj-1',
    ]);
    const { histories: known, accounts } = await running.json('/health');
    expect(known.files.map(({ shard }: { shard: string }) => shard)).toEqual(['0/3', '1/3']);
    expect(known.gaps).toEqual([
      { kind: 'shard_missing', text: 'shard 2/3', detail: 'of main is in none of these histories', at: null },
    ]);
    expect(accounts).toMatchObject([{ account: 'main', projects: 2, budget_per_minute: null }]);
  });

  test('has the safety headers of a console, serves no metrics and takes no writing request', async () => {
    const page = await fetch(running.url);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await page.text()).not.toContain('/metrics');
    expect((await fetch(new URL('/metrics', running.url))).status).toBe(404);
    expect((await fetch(running.url, { method: 'POST' })).status).toBe(405);
    expect((await fetch(new URL('/-/ready', running.url))).status).toBe(200);
  });

  test.each([
    ['/operations?cursor=WzEsMS41LCJ4Il0&status=failed', 200],
    ['/operations?cursor=WzEsLTksIngiXQ&status=in_progress', 200],
    ['/operations?cursor=WyJ4IiwieCIsIngiXQ&status=failed', 200],
    ['/operations?cursor=x&status=failed', 400],
    ['/projects/main/..%2F..%2Fetc', 404],
    ['/projects/main/%3Cscript%3E', 404],
    ['/findings?account=nobody', 400],
    ["/operations?account='%20OR%201=1&status=failed", 400],
  ])('answers %s with %i', async (address, status) => {
    const answer = await fetch(new URL(`/api/v1${address}`, running.url));
    expect([answer.status, running.printed.stderr.includes('level=error')]).toEqual([status, false]);
  });

  test('leaves out a file that goes, says so, and reads it again when it is back and has grown', async () => {
    const [, file = ''] = histories.files;
    const kept = join(histories.folder.path, 'kept');
    copyFileSync(file, kept);
    rmSync(file);
    await vi.waitFor(async () => {
      const { histories: known } = await running.json('/health');
      expect(known.files[1].problem).toBe(`${file} is not there`);
    }, patience);
    expect(await (await fetch(running.url)).text()).toContain(
      `History ${file} cannot be read: what is in it is in no figure`,
    );
    copyFileSync(kept, file);
    const history = histories.folder.open({ file, shard: { index: 1, count: 3 } });
    history.commitOne(projectsReading(now, [wireProject('prj-1'), wireProject('prj-new')]));
    await vi.waitFor(async () => {
      const { accounts, histories: known } = await running.json('/health');
      expect([accounts[0].projects, known.files[1].problem]).toEqual([3, null]);
    }, patience);
    await vi.waitFor(async () => {
      const { all } = await running.json('/operations?project=prj-new&status=all');
      expect(all?.operations).toEqual([]);
    }, patience);
    history.close();
  });
});

describe('a console that is told to load its configuration again', () => {
  const prices =
    'pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2020-01-01, per_compute_hour: 1}]}]}';

  test('has new prices and new files of its pattern, and stays as it was where something is wrong', async () => {
    using few = new TwoHistories();
    const config = join(few.folder.path, 'dbpm.yaml');
    writeFileSync(config, 'history: {keep_samples: 30d}\n');
    const pattern = join(few.folder.path, 'shard-*.sqlite');
    const reloaded = await start('--config.file', config, '--history.file', pattern);
    const state = async () => {
      const [cost, { histories: known, last_reload }] = [
        await reloaded.json('/cost'),
        await reloaded.json('/health'),
      ];
      // With prices it waits for the past, which is not read here.
      const has_prices = cost.has_prices ?? 'rests_on' in cost;
      return { has_prices, files: known.files.length, last: last_reload?.succeeded };
    };
    expect(await state()).toEqual({ has_prices: false, files: 2, last: undefined });
    const third = few.folder.open({
      file: join(few.folder.path, 'shard-c.sqlite'),
      shard: { index: 2, count: 3 },
    });
    third.commitOne(projectsReading(now - minute, [wireProject('prj-2')]));
    writeFileSync(config, `${prices}\n`);
    reloaded.hangUp();
    const waited = patience;
    await vi.waitFor(
      async () => expect(await state()).toEqual({ has_prices: true, files: 3, last: true }),
      waited,
    );
    writeFileSync(config, `${prices}\nweb: {listen_address: ":1"}\nno_such: setting\n`);
    reloaded.hangUp();
    await vi.waitFor(
      async () => expect(await state()).toEqual({ has_prices: true, files: 3, last: false }),
      waited,
    );
    expect(reloaded.printed.stderr).toContain('the configuration stays as it was');
    expect(reloaded.printed.stderr).toContain('no_such');
    third.close();
    expect(await reloaded.end()).toBe(0);
  });

  test('ends with its terminal', async () => {
    const { io, hangUp, printed } = makeFakeIo({ terminal: true });
    const [file = ''] = histories.files;
    const argv = ['console', '--web.listen-address', '127.0.0.1:0', '--history.file', file];
    const ended = runCommandLine(io, argv, [consoleCommand(io)]);
    await vi.waitFor(() => expect(printed.stdout).toContain('Open the console'), patience);
    hangUp();
    expect(await ended).toBe(0);
  });
});

describe('what no console can be shown over', () => {
  test.each<[string, (folder: string) => string, string]>([
    [
      'a pattern that no file is called',
      folder => join(folder, 'no-*.sqlite'),
      'a pattern that matches no file',
    ],
    ['a file that is not there', folder => join(folder, 'none.sqlite'), 'none.sqlite is not there'],
    [
      'a file that is no history',
      folder => {
        writeFileSync(join(folder, 'text.sqlite'), 'x'.repeat(5000));
        return join(folder, 'text.sqlite');
      },
      'which is no history',
    ],
    [
      'a history of an older program',
      folder => {
        const old = join(folder, 'old.sqlite');
        copyFileSync(histories.files[0] ?? '', old);
        const database = new Database(old);
        database.pragma('user_version = 3');
        database.close();
        return old;
      },
      'was written by a dbpm-exporter from before the first release',
    ],
  ])('%s ends it with one sentence', async (_what, make, sentence) => {
    const folder = mkdtempSync(join(tmpdir(), 'console-'));
    const { io, printed } = makeFakeIo();
    const code = await runCommandLine(io, ['console', '--history.file', make(folder)], [consoleCommand(io)]);
    rmSync(folder, { recursive: true });
    expect(code).toBeGreaterThan(0);
    expect(printed.stderr.trim().split('\n')).toHaveLength(1);
    expect(printed.stderr).toContain(sentence);
  });

  test('a file that is named twice counts once, and that is said', async () => {
    const [file = ''] = histories.files;
    const before = readFileSync(file);
    const twice = await start('--history.file', file, '--history.file', file);
    expect((await twice.json('/health')).histories.files).toHaveLength(1);
    expect(twice.printed.stderr).toContain('is named twice');
    expect(await twice.end()).toBe(0);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});
