import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { makeCommands } from '../../src/cli/command-list.ts';
import { findSpellings } from '../support/canary.ts';
import { answerJson, startScriptedService } from '../support/scripted-service.ts';
import { makeFakeIo } from './fake-io.ts';

const key = 'canary-3fa81c60d75b29e4';
/** Long enough for a daemon to ask, to be refused and to say so. */
const lifeMs = 1500;
vi.setConfig({ testTimeout: 60_000 });

/** Words that have a command do more than without. */
const moreWords: Readonly<Record<string, readonly (readonly string[])[]>> = {
  report: [['usage'], ['cost'], ['keys'], ['operations']],
  backup: [['--to', 'copy.sqlite']],
};

const names = makeCommands(makeFakeIo().io).map(command => command.name());
const runs = names.flatMap(name => [
  { words: [name] },
  { words: [name, '--help'] },
  { words: [name, `--no-such-flag=${key}`] },
  { words: [name, `--config.file=${key}.yaml`, `--no-such-flag=${key}`] },
  ...(moreWords[name] ?? []).map(words => ({ words: [name, ...words] })),
]);

let folder: string;
let service: Awaited<ReturnType<typeof startScriptedService>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dbpm-canary-'));
  // It says the key in every way an answer can.
  service = await startScriptedService((_request, response) =>
    answerJson(response, 401, {
      message: `no key ${key}`,
      code: key,
      request_id: Buffer.from(key).toString('base64'),
    }),
  );
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['logfmt', 'json'])('no command shows the key, with its log at debug as %s', format => {
  test.each(runs)('$words', async ({ words }) => {
    const { io, printed, stop } = makeFakeIo({
      env: {
        DBPM_BASE_URL: service.base_url,
        DBPM_API_KEY: key,
        DBPM_HISTORY_FILE: join(folder, 'history.sqlite'),
        DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:0',
        DBPM_COLLECT_SCHEDULE: '* * * * * *',
        DBPM_LOG_LEVEL: 'debug',
        DBPM_LOG_FORMAT: format,
      },
    });
    const ended = runCommandLine(io, words, makeCommands(io));
    await Promise.race([ended, pause(lifeMs)]);
    stop();
    await ended;
    const shown = printed.stdout + printed.stderr;
    // What is not asked for help or refused as a whole meets the service, which says the key.
    if (words.join() === 'serve') expect(shown).toContain('[redacted]');
    expect(findSpellings(key, shown)).toEqual([]);
    const files = globSync('**', { cwd: folder, withFileTypes: true }).filter(file => file.isFile());
    const found = files.filter(
      ({ parentPath, name }) => findSpellings(key, readFileSync(join(parentPath, name))).length > 0,
    );
    expect(found.map(({ name }) => name)).toEqual([]);
  });
});
