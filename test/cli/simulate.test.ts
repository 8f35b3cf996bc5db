import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { simulateCommand } from '../../src/cli/simulate.ts';

/** Runs the command in this process; `stop` is its SIGTERM. */
function startCommand(...args: readonly string[]) {
  const stopping = new AbortController();
  const printed = Promise.withResolvers<string>();
  const refused: string[] = [];
  const help: string[] = [];
  const io: Io = {
    env: {},
    stdout: printed.resolve,
    stderr: () => undefined,
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    stopped: stopping.signal,
  };
  const command = simulateCommand(io).exitOverride();
  command.configureOutput({ writeErr: text => refused.push(text), writeOut: text => help.push(text) });
  const ended = command.parseAsync(args, { from: 'user' });
  return { printed: printed.promise, refused, help, ended, stop: () => stopping.abort() };
}

test('prints one line of JSON when it is ready and runs until it is stopped', async () => {
  const { printed, ended, stop } = startCommand('--api-key', 'k', '--projects', '3', '--history-days', '0');
  const line = await printed;
  expect(line).toMatch(/^\{"base_url":"http:\/\/127\.0\.0\.1:\d+\/api\/v2\/","api_key":"k"\}\n$/);
  const { base_url } = JSON.parse(line);
  const response = await fetch(`${base_url}projects`, { headers: { authorization: 'Bearer k' } });
  expect(await response.json()).toMatchObject({ projects: [{}, {}, {}] });
  stop();
  await ended;
  await expect(fetch(base_url)).rejects.toThrow('fetch failed');
});

test('makes up a key when none is given', async () => {
  const { printed, ended, stop } = startCommand('--projects', '0', '--history-days', '0');
  expect(JSON.parse(await printed).api_key).toMatch(/^[0-9a-f]{64}$/);
  stop();
  await ended;
});

test('hands its flags on to the service', async () => {
  const flags = ['--projects', '3', '--page-projects', '2', '--rate-limit', '1/min', '--latency', '1ms'];
  const { printed, ended, stop } = startCommand('--api-key', 'k', '--history-days', '0', ...flags);
  const { base_url } = JSON.parse(await printed);
  const headers = { authorization: 'Bearer k' };
  const page = await fetch(`${base_url}projects`, { headers });
  expect(await page.json()).toMatchObject({ projects: [{}, {}], pagination: { cursor: expect.any(String) } });
  expect((await fetch(`${base_url}projects`, { headers })).status).toBe(429);
  stop();
  await ended;
});

test.each([
  ['--listen', '0.0.0.0:80', 'Write a loopback address and a port, for example 127.0.0.1:0.'],
  ['--listen', '127.0.0.1', 'Write a loopback address and a port, for example 127.0.0.1:0.'],
  ['--listen', '127.0.0.1:70000', 'Write a loopback address and a port, for example 127.0.0.1:0.'],
  ['--projects', 'many', 'Write a whole number from 0 to 20000.'],
  ['--seed', '-1', 'Write a whole number from 0 to 4294967295.'],
  ['--history-days', '1.5', 'Write a whole number from 0 to 366.'],
  ['--page-projects', '401', 'Write a whole number from 1 to 400.'],
  ['--rate-limit', '5/s', 'Write requests a minute, for example 600/min.'],
  ['--latency', '20', 'Write a duration up to 600s, for example 20ms.'],
  ['--api-key', 'two words', 'Write a key without spaces, in printable ASCII.'],
])('%s %s is refused with the flag, what was found and what to write', async (flag, value, advice) => {
  const { ended, refused } = startCommand(flag, value);
  await expect(ended).rejects.toThrow(CommanderError);
  expect(refused.join('')).toMatch(
    new RegExp(`^error: option '${flag} <[^>]+>' argument '${value}' is invalid. `),
  );
  expect(refused.join('')).toContain(advice);
});

test('the help says what was chosen where the specification is silent', async () => {
  const { help, ended } = startCommand('--help');
  await expect(ended).rejects.toThrow('(outputHelp)');
  expect(help.join('')).toContain('Where the specification is silent\n');
});

test('a port that is taken is said in one sentence', async () => {
  const first = startCommand('--projects', '0', '--history-days', '0');
  const { port } = new URL(JSON.parse(await first.printed).base_url);
  const second = startCommand('--listen', `127.0.0.1:${port}`, '--projects', '0', '--history-days', '0');
  await expect(second.ended).rejects.toThrow(CommanderError);
  expect(second.refused.join('')).toMatch(
    /^error: cannot listen on 127\.0\.0\.1:\d+: listen EADDRINUSE: address already in use [^\n]+\n$/,
  );
  first.stop();
  await first.ended;
});

test('a history too large for memory is refused before it is made', async () => {
  const { ended, refused } = startCommand('--projects', '20000', '--history-days', '30');
  await expect(ended).rejects.toThrow(CommanderError);
  expect(refused).toEqual([
    'error: 20000 projects with 30 days of history do not fit into memory: write --history-days 5 or less, or fewer --projects.\n',
  ]);
});
