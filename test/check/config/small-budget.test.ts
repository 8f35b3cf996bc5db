import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkConfigCommand } from '../../../src/cli/check-config.ts';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { makeFakeIo } from '../../cli/fake-io.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { projectsReading, startAt, wireProject } from '../../support/reading-builder.ts';

const base_url = 'https://api.example.com/api/v2/';

/** Records a thousand projects that were listed and never read: none is known to be busy. */
function recordThousand(folder: HistoryFolder, account: string): void {
  const history = folder.open({ accounts: [account] });
  const projects = Array.from({ length: 1000 }, (_, index) => wireProject(`p${index}`));
  history.commitOne(projectsReading(startAt, projects, { account }));
  folder.close(history);
}

async function check(env: Readonly<Record<string, string>>, argv: readonly string[] = []) {
  const { io, printed } = makeFakeIo({
    env: { KEY: 'canary-key', DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:10062', ...env },
  });
  const exitCode = await runCommandLine(io, ['check-config', ...argv], [checkConfigCommand(io)]);
  return {
    exitCode,
    valid: printed.stdout.startsWith('The configuration is valid.\n'),
    stderr: printed.stderr,
  };
}

test('a budget that is too small for the fleet of the history is a warning where it is written', async () => {
  using folder = new HistoryFolder();
  recordThousand(folder, 'shop');
  const file = join(folder.path, 'dbpm.yaml');
  writeFileSync(
    file,
    `accounts:
  - name: blog
    base_url: ${base_url}
    api_key_env: KEY
    requests_per_minute: 2
  - name: shop
    base_url: ${base_url}
    api_key_env: KEY
    requests_per_minute: 40
history:
  file: ${folder.file}
`,
  );
  const { stderr, ...rest } = await check({}, ['--config.file', file]);
  expect(rest).toEqual({ exitCode: 0, valid: true });
  // 18 for the list would be more than three tenths of 40. Idle projects take 1000 * 1.25 / 15 = 83.3 a minute, which
  // more than the 26.2 that 12.2 for lists leave of 39 * 60 / 61 (every 47.78 minutes); with 18.2 for lists on schedule, 101.5,
  // for which 101.5 * 61 / 60 + 4 are needed in any minute.
  expect(stderr.replace(folder.path, 'DIR')).toBe(
    'warning: DIR/dbpm.yaml:9: accounts[1].requests_per_minute: found 40, too few for 1,000 projects: the list of projects is read every 15s instead of every 10s (collect.schedule) and idle projects are read every 47m47s instead of every 15m (collect.idle_refresh), write requests_per_minute: 108 or more, or be content with collect.schedule: "*/15 * * * * *" and collect.idle_refresh: 48m\n',
  );
  expect(readdirSync(folder.path).sort()).toEqual(['dbpm.sqlite', 'dbpm.sqlite.lock', 'dbpm.yaml']);
});

test('the default is a budget like any other', async () => {
  using folder = new HistoryFolder();
  recordThousand(folder, 'main');
  const env = { DBPM_BASE_URL: base_url, DBPM_API_KEY: 'canary-key', DBPM_HISTORY_FILE: folder.file };
  expect(await check(env)).toEqual({ exitCode: 0, valid: true, stderr: '' });
  const { exitCode, stderr } = await check({ ...env, DBPM_COLLECT_IDLE_REFRESH: '4m' });
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(
    /^warning: default: accounts\[0\]\.requests_per_minute: found 300, too few for 1,000 projects: idle projects are read every 4m45s instead of every 4m \(collect\.idle_refresh\), write requests_per_minute: 353 or more, or be content with collect\.idle_refresh: 5m\n$/,
  );
});

test('an account the history does not know has nothing to be warned of', async () => {
  using folder = new HistoryFolder();
  recordThousand(folder, 'other');
  const env = { DBPM_BASE_URL: base_url, DBPM_API_KEY: 'canary-key', DBPM_REQUESTS_PER_MINUTE: '1' };
  expect(await check({ ...env, DBPM_HISTORY_FILE: folder.file })).toEqual({
    exitCode: 0,
    valid: true,
    stderr: '',
  });
});

test('projects that are left out need no budget', async () => {
  using folder = new HistoryFolder();
  recordThousand(folder, 'main');
  const env = {
    DBPM_BASE_URL: base_url,
    DBPM_API_KEY: 'canary-key',
    DBPM_HISTORY_FILE: folder.file,
    DBPM_COLLECT_IDLE_REFRESH: '4m',
  };
  expect(await check({ ...env, DBPM_PROJECTS_EXCLUDE: 'p*' })).toEqual({
    exitCode: 0,
    valid: true,
    stderr: '',
  });
});
