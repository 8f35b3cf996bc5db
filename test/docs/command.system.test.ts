import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findQueryMistakes } from '../dashboards/query-reader.ts';
import { findPeer } from '../support/peer.ts';
import { documents, root } from './document.ts';
import { DocumentedWorld } from './documented-world.ts';
import { checkScripts, exemptPrograms, exemptScripts } from './exempt.ts';
import { runProgramHere } from './program-here.ts';
import { readShellLines, type ShellCommand } from './shell-line.ts';

const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
/** Programs of every system, and those a page says one needs. */
const systemPrograms = [
  'export',
  'ask()',
  'api()',
  'api',
  'grep',
  'wc',
  'ls',
  'df',
  'curl',
  'jq',
  'promtool',
];
const scrapeConfig = documents
  .flatMap(({ fences }) => fences)
  .find(({ text }) => text.startsWith('scrape_configs:'));
const pages = documents.map(({ path, fences }) => ({
  path,
  lines: fences.filter(({ language }) => language === 'sh').flatMap(({ text }) => readShellLines(text)),
}));

let world: DocumentedWorld;
const home = process.cwd();

beforeAll(async () => {
  world = await DocumentedWorld.open(scrapeConfig?.text ?? '');
  process.chdir(world.folder);
});

afterAll(async () => {
  process.chdir(home);
  await world?.[Symbol.asyncDispose]();
});

describe.each(pages.filter(({ lines }) => lines.length > 0))('$path', ({ lines }) => {
  /** Lines that set variables and functions for the lines after them. */
  const before: string[] = [];

  test.for(lines)('$text', async (line, context) => {
    const kinds = new Set(line.commands.map(kindOf));
    if (!kinds.has('system')) {
      for (const command of line.commands)
        if (kindOf(command) !== 'exempt') await runCommand(command, before);
      return;
    }
    // What reads the output of an exempt program has nothing to read.
    if (kinds.has('exempt')) return;
    const missing = line.commands.flatMap(({ words: [program = ''] }) => findMissing(program));
    if (missing.length > 0) context.skip(`${missing.join(', ')} not found`);
    await world.runShell([...before, line.text]);
    if (/^(export |\w+\(\))/.test(line.text)) before.push(line.text);
  });
});

test('blocks of code are in a language that a test knows', () => {
  const languages = new Set(documents.flatMap(({ fences }) => fences.map(({ language }) => language)));
  expect([...languages].sort()).toEqual([
    '',
    'console',
    'json',
    'mermaid',
    'promql',
    'sh',
    'sql',
    'text',
    'yaml',
  ]);
});

test('what a program prints is generated, and so run', () => {
  const byHand = documents.filter(({ text }) =>
    text.replaceAll(/<!-- generated: [\s\S]*?<!-- end: /g, '').includes('```console'),
  );
  expect(byHand.map(({ path }) => path)).toEqual([]);
});

test('nothing is exempt that no page shows', () => {
  const commands = pages.flatMap(({ lines }) => lines.flatMap(line => line.commands));
  const programs = commands.map(({ words: [program = ''] }) => program);
  expect(Object.keys(exemptPrograms).filter(program => !programs.includes(program))).toEqual([]);
  const shown = commands.filter(({ words: [program] }) => program === 'npm').map(scriptOf);
  expect(Object.keys(exemptScripts).filter(script => !shown.includes(script))).toEqual([]);
});

/** Kind of a command by what runs it: this process, a reader of queries, the shell, or nothing here. */
function kindOf(command: ShellCommand): 'program' | 'query' | 'system' | 'exempt' {
  const [program = ''] = command.words;
  if (program === 'npm') return findArguments(command) === undefined ? checkScript(command) : 'program';
  if (program === 'dbpm-exporter') return 'program';
  if (program === 'ask') return 'query';
  if (systemPrograms.includes(program)) return 'system';
  if (program in exemptPrograms) return 'exempt';
  throw new Error(`no test knows the program ${program}`);
}

async function runCommand(command: ShellCommand, before: readonly string[]): Promise<void> {
  if (kindOf(command) === 'query') {
    const query = (command.words[1] ?? '').replaceAll(/\$(\w+)/g, '$1');
    expect(findQueryMistakes(query)).toEqual([]);
    return;
  }
  const words = (findArguments(command) ?? []).map(word => world.place(word));
  const given = Object.fromEntries(
    before.flatMap(line => {
      const [, name, value] = /^export (DBPM_\w+)=(\S+)/.exec(world.place(line)) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
  // What a daemon writes would change what the commands after it read.
  const argv = words[0] === 'serve' ? words.map(word => word.replace(/^data\//, 'shown/')) : words;
  const isSelfContained = ['demo', 'simulate'].includes(argv[0] ?? '') || argv[0]?.startsWith('-');
  const env = isSelfContained
    ? { ...given, DBPM_HISTORY_FILE: join(world.folder, 'shown/dbpm.sqlite') }
    : { ...world.env, ...given };
  const { exitCode, stdout, stderr } = await runProgramHere([...argv, ...shorten(argv)], env);
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  if (command.output !== undefined) writeFileSync(join(world.folder, command.output), stdout);
}

/** Flags that spare time or a port, and leave the meaning of a command as it is. */
function shorten(argv: readonly string[]): readonly string[] {
  if (argv[0] === 'demo' || argv[0] === 'console') return ['--web.listen-address', '127.0.0.1:0'];
  if (argv.includes('parquet')) return ['--from', '2026-10-28T00:00:00Z'];
  if (argv[0] !== 'export' || !argv.includes('--to')) return [];
  // The last of two flags is taken.
  const to = Date.parse(argv[argv.indexOf('--to') + 1] ?? '');
  return ['--from', new Date(to - 600_000).toISOString()];
}

/** The arguments the program gets; undefined when the command is another one. */
function findArguments(command: ShellCommand): readonly string[] | undefined {
  const { words } = command;
  const rest = words.slice(words.indexOf('--') + 1);
  const given = words.includes('--') ? rest : [];
  if (words[0] === 'dbpm-exporter') return words.slice(1);
  if (words[1] === 'start') return given;
  return scriptOf(command) === 'demo' ? ['demo', ...given] : undefined;
}

/** The script of package.json that `npm` runs. */
function scriptOf({ words }: ShellCommand): string {
  return words.slice(1).find(word => !word.startsWith('-') && word !== 'run') ?? '';
}

/** A script that is not run here must be there, with the flags and names that are shown. */
function checkScript(command: ShellCommand): 'exempt' {
  const script = scriptOf(command);
  if (script === 'ci') return 'exempt';
  const text = scripts[script];
  if (text === undefined || !(script in exemptScripts || checkScripts.includes(script)))
    throw new Error(`no test knows the script ${script}`);
  const { words } = command;
  const given = words.includes('--') ? words.slice(words.indexOf('--') + 1) : [];
  const [file = ''] = /test\/\S+\.ts/.exec(text) ?? [];
  const sources =
    given.length === 0
      ? ''
      : globSync(`${join(root, file, '..')}/*.ts`)
          .map(path => readFileSync(path, 'utf8'))
          .join();
  const named = given.map(word => word.replace(/^--/, '')).filter(word => !/^\d+$/.test(word));
  const unknown = named.filter(word => !sources.includes(word));
  expect(unknown).toEqual([]);
  return 'exempt';
}

function findMissing(program: string): readonly string[] {
  const peer = (['promtool', 'curl', 'jq'] as const).find(each => each === program);
  return peer === undefined || findPeer(peer) !== undefined ? [] : [peer];
}
