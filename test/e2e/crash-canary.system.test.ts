import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openFolder } from '../daemon/open-daemon.ts';
import { findSpellings } from '../support/canary.ts';
import { startProgram } from '../support/daemon-process.ts';
import { patience } from '../support/patience.ts';
import { answerJson, startScriptedService } from '../support/scripted-service.ts';

const key = 'canary-5e08d7b3a94c1f62';

/** Has the program end in two unexpected ways, with the key at hand. */
const fatalSignals = `
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const key = readFileSync(process.env.CANARY_FILE, 'utf8');
if (isMainThread) {
  process.on('SIGPWR', () => { throw new Error('sent ' + key, { cause: new Error(key.toUpperCase()) }); });
  process.on('SIGVTALRM', () => { const kept = [key]; for (;;) kept.push({ kept: [...kept.slice(-1000)] }); });
}`;

/** Starts a daemon that writes diagnostic reports into a folder of its own. */
async function startDoomed(env: Readonly<Record<string, string>>) {
  const folder = openFolder(onTestFinished);
  const service = await startScriptedService((_, response) => answerJson(response, 200, { projects: [] }));
  onTestFinished(() => service.close());
  const reports = join(folder, 'report');
  mkdirSync(reports);
  const keyFile = join(folder, 'secret.key');
  writeFileSync(keyFile, key, { mode: 0o600 });
  const flags = [
    `--import=data:text/javascript,${encodeURIComponent(fatalSignals)}`,
    ...['--report-on-fatalerror', '--report-uncaught-exception', `--report-directory=${reports}`],
    '--max-old-space-size=64',
  ];
  const program = startProgram(['serve', '--web.listen-address', '127.0.0.1:0'], {
    DBPM_BASE_URL: service.base_url,
    DBPM_HISTORY_FILE: join(folder, 'history.sqlite'),
    CANARY_FILE: keyFile,
    NODE_OPTIONS: flags.join(' '),
    ...(env.DBPM_API_KEY === undefined && { DBPM_API_KEY_FILE: keyFile }),
    ...env,
  });
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  await program.untilWritten('stderr', /msg=serving/);
  const readReports = () => readdirSync(reports).map(name => readFileSync(join(reports, name), 'utf8'));
  return { folder, program, readReports };
}

test.each([['file', {}] as const, ['variable', { DBPM_API_KEY: key }] as const])(
  'an error that nobody expected ends the daemon without the key of a %s in its last words',
  async (_place, env) => {
    const { program, readReports } = await startDoomed(env);
    program.signal('SIGPWR');
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.stderr()).toContain('ended by an unexpected error: sent [redacted]');
    expect(findSpellings(key, [program.stdout(), program.stderr(), ...readReports()].join('\n'))).toEqual([]);
  },
);

test('what it leaves when it runs out of memory has no key', async () => {
  const { program, readReports } = await startDoomed({ DBPM_API_KEY: key });
  program.signal('SIGVTALRM');
  expect((await program.exited).code).not.toBe(0);
  const [report = ''] = readReports();
  expect(JSON.parse(report)).toMatchObject({ header: { trigger: 'OOMError' } });
  expect(findSpellings(key, [program.stdout(), program.stderr(), report].join('\n'))).toEqual([]);
});

test('a child sees no key in its environment or its arguments', async () => {
  const folder = openFolder(onTestFinished);
  const seen = join(folder, 'seen');
  const notifier = join(folder, 'systemd-notify');
  writeFileSync(notifier, `#!/bin/sh\n{ env; echo "$@"; cat "/proc/$PPID/environ"; } >> '${seen}'\n`);
  chmodSync(notifier, 0o700);
  const { program } = await startDoomed({
    DBPM_API_KEY: key,
    PATH: `${folder}:${process.env.PATH}`,
    NOTIFY_SOCKET: join(folder, 'socket'),
  });
  await vi.waitFor(() => expect(readFileSync(seen, 'utf8')).toContain('READY=1'), patience);
  await program.stop('SIGTERM');
  expect(findSpellings(key, readFileSync(seen))).toEqual([]);
});
