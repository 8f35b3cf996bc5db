import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { makeCommands } from '../../src/cli/command-list.ts';
import { type Simulator, startSimulator } from '../../src/simulator/server.ts';
import { findSpellings } from '../support/canary.ts';
import { patience } from '../support/patience.ts';
import { answerJson, startScriptedService } from '../support/scripted-service.ts';
import { makeFakeIo } from './fake-io.ts';

const key = 'canary-3fa81c60d75b29e4';

/** Words that have a command do more than without; what they write goes into the folder. */
const moreWords = (folder: string): Readonly<Record<string, readonly (readonly string[])[]>> => ({
  report: [['usage'], ['cost'], ['keys'], ['operations'], ['findings', '--format', 'json']],
  backup: [['--to', join(folder, 'copy.sqlite')]],
  export: [['--out', join(folder, 'past.om')]],
  plan: [['--format', 'json']],
  check: [['--format', 'json']],
  dashboards: [['--out', join(folder, 'boards')]],
  close: [['--list']],
});

const root = mkdtempSync(join(tmpdir(), 'dbpm-canary-'));
const refused = mkdtempSync(join(root, 'refused-'));
const accepted = mkdtempSync(join(root, 'accepted-'));
const names = makeCommands(makeFakeIo().io).map(command => command.name());
/** Runs of the commands with more words, which write into a folder. */
const longerRuns = (folder: string) =>
  names.flatMap(name => (moreWords(folder)[name] ?? []).map(words => ({ words: [name, ...words] })));
const runs = names.flatMap(name => [
  { words: [name] },
  { words: [name, '--help'] },
  { words: [name, `--no-such-flag=${key}`] },
  { words: [name, `--config.file=${key}.yaml`, `--no-such-flag=${key}`] },
]);

afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Place {
  readonly folder: string;
  readonly base_url: string;
  readonly format?: string;
}

/** Runs a command to its end, or until it serves where it has none. @returns what it printed. */
async function run(
  words: readonly string[],
  { folder, base_url, format = 'logfmt' }: Place,
): Promise<string> {
  const { io, printed, stop } = makeFakeIo({
    env: {
      DBPM_BASE_URL: base_url,
      DBPM_API_KEY: key,
      DBPM_HISTORY_FILE: join(folder, 'history.sqlite'),
      DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:0',
      DBPM_COLLECT_SCHEDULE: '* * * * * *',
      DBPM_LOG_LEVEL: 'debug',
      DBPM_LOG_FORMAT: format,
    },
  });
  const ended = runCommandLine(io, words, makeCommands(io));
  if (words.join() === 'serve') await untilAsked(printed);
  else if (endless.has(words.join())) await Promise.race([untilServing(printed), ended]);
  else await ended;
  stop();
  await ended;
  return printed.stdout + printed.stderr;
}

const endless = new Set(['console', 'demo', 'simulate']);

/** Waits until a daemon has asked its service for everything, was refused or remembers what it read, and has said so. */
function untilAsked(printed: { readonly stderr: string }): Promise<void> {
  return vi.waitFor(() => expect(printed.stderr).toMatch(/\[redacted\]|msg=heartbeat/), patience);
}

/** Waits until a command that serves has said where. */
function untilServing(printed: { readonly stdout: string }): Promise<void> {
  return vi.waitFor(() => expect(printed.stdout).toContain('http://'), patience);
}

/** The files that were written and have the key. */
function findLeaks(): readonly string[] {
  return globSync('**', { cwd: root, withFileTypes: true })
    .filter(file => file.isFile())
    .filter(({ parentPath, name }) => findSpellings(key, readFileSync(join(parentPath, name))).length > 0)
    .map(({ name }) => name);
}

describe('beside a service that says the key in every way an answer can', () => {
  let service: Awaited<ReturnType<typeof startScriptedService>>;

  beforeAll(async () => {
    service = await startScriptedService((_request, response) =>
      answerJson(response, 401, {
        message: `no key ${key}`,
        code: key,
        request_id: Buffer.from(key).toString('base64'),
      }),
    );
  });
  afterAll(() => service.close());

  describe.each(['logfmt', 'json'])('no command shows it, with its log at debug as %s', format => {
    test.each([...runs, ...longerRuns(refused)])('$words', async ({ words }) => {
      const shown = await run(words, { folder: refused, base_url: service.base_url, format });
      // What is not asked for help or refused as a whole meets the service, which says the key.
      if (words.join() === 'serve') expect(shown).toContain('[redacted]');
      expect(findSpellings(key, shown)).toEqual([]);
      expect(findLeaks()).toEqual([]);
    });
  });
});

describe('beside a service that takes the key', () => {
  let simulator: Simulator;

  beforeAll(async () => {
    simulator = await startSimulator({ apiKey: key, projects: 3, historyDays: 2 });
    await run(['serve'], { folder: accepted, base_url: simulator.base_url });
  });
  afterAll(() => simulator.close());

  test.each(longerRuns(accepted))('no command shows it: $words', async ({ words }) => {
    const shown = await run(words, { folder: accepted, base_url: simulator.base_url });
    expect(findSpellings(key, shown)).toEqual([]);
  });

  test('what is exported and copied is there, and nothing that was written has it', () => {
    expect(findLeaks()).toEqual([]);
    expect(readFileSync(join(accepted, 'past.om'), 'utf8')).toContain('dbpm_project_info{');
    expect(statSync(join(accepted, 'copy.sqlite')).size).toBeGreaterThan(10_000);
  });
});
