import { expect, onTestFinished, test, vi } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { ExitCode, Io } from '../../src/cli/io.ts';
import { simulateCommand } from '../../src/cli/simulate.ts';
import { controlRoutes } from '../../src/simulator/control-route.ts';
import { createFaults } from '../../src/simulator/faults.ts';
import { createFleet } from '../../src/simulator/model/fleet.ts';
import { startSimulator } from '../../src/simulator/server.ts';
import { patience } from '../support/patience.ts';
import { makeFakeIo } from './fake-io.ts';

interface Setup {
  readonly terminal?: boolean;
  readonly start?: typeof startSimulator;
}

/** Runs the command in this process; `stop` is its SIGTERM. */
function startCommand(args: readonly string[], { terminal = false, start = startSimulator }: Setup = {}) {
  const firstPrinted = Promise.withResolvers<string>();
  const printed: string[] = [];
  const errors: string[] = [];
  const { io: quiet, stop } = makeFakeIo({ terminal });
  const io: Io = {
    ...quiet,
    stdout: text => {
      printed.push(text);
      firstPrinted.resolve(text);
    },
    stderr: text => errors.push(text),
  };
  const command = simulateCommand(io, async () => ({ startSimulator: start }));
  const ended = runCommandLine(io, ['simulate', ...args], [command]);
  return { firstPrinted: firstPrinted.promise, printed, errors, ended, stop };
}

async function refuse(...args: readonly string[]): Promise<[ExitCode, string]> {
  const { ended, errors } = startCommand(args);
  return [await ended, errors.join('')];
}

const emptyFleet = ['--projects', '0', '--history-days', '0'] as const;

test('prints one line of JSON when it is ready and runs until it is stopped', async () => {
  const { firstPrinted, ended, stop } = startCommand([
    '--api-key',
    'k',
    '--projects',
    '3',
    '--history-days',
    '0',
  ]);
  const line = await firstPrinted;
  expect(line).toMatch(/^\{"base_url":"http:\/\/127\.0\.0\.1:\d+\/api\/v2\/","api_key":"k"\}\n$/);
  const { base_url } = JSON.parse(line);
  const response = await fetch(`${base_url}projects`, { headers: { authorization: 'Bearer k' } });
  expect(await response.json()).toMatchObject({ projects: [{}, {}, {}] });
  stop();
  await ended;
  await expect(fetch(base_url)).rejects.toThrow('fetch failed');
});

test('makes up a key when none is given', async () => {
  const { firstPrinted, ended, stop } = startCommand(emptyFleet);
  expect(JSON.parse(await firstPrinted).api_key).toMatch(/^[0-9a-f]{64}$/);
  stop();
  await ended;
});

test('hands its flags on to the service', async () => {
  const flags = ['--projects', '3', '--page-projects', '2', '--rate-limit', '1/min', '--latency', '1ms'];
  const { firstPrinted, ended, stop } = startCommand(['--api-key', 'k', '--history-days', '0', ...flags]);
  const { base_url } = JSON.parse(await firstPrinted);
  const headers = { authorization: 'Bearer k' };
  const page = await fetch(`${base_url}projects`, { headers });
  expect(await page.json()).toMatchObject({ projects: [{}, {}], pagination: { cursor: expect.any(String) } });
  expect((await fetch(`${base_url}projects`, { headers })).status).toBe(429);
  stop();
  await ended;
});

test('the showcase adds its projects to those that were asked for', async () => {
  const args = ['--api-key', 'k', '--projects', '3', '--history-days', '0', '--showcase'];
  const { firstPrinted, ended, stop } = startCommand(args);
  const { base_url } = JSON.parse(await firstPrinted);
  const answer = await fetch(`${base_url}projects`, { headers: { authorization: 'Bearer k' } });
  const { projects } = (await answer.json()) as { projects: { name: string }[] };
  expect(projects.map(({ name }) => name)).toEqual(expect.arrayContaining(['stock-sync', 'old-campaign']));
  expect(projects).toHaveLength(10);
  stop();
  await ended;
});

const listenAdvice = 'write a loopback address and a port, for example 127.0.0.1:0';

test.each([
  ['--listen', '0.0.0.0:80', listenAdvice],
  ['--listen', '127.0.0.1', listenAdvice],
  ['--listen', '127.0.0.1:70000', listenAdvice],
  ['--projects', 'x', 'write a whole number from 0 to 20000'],
  ['--seed', '-1', 'write a whole number from 0 to 4294967295'],
  ['--history-days', '1.5', 'write a whole number from 0 to 366'],
  ['--page-projects', '401', 'write a whole number from 1 to 400'],
  ['--rate-limit', '5/s', 'write requests a minute, for example 600/min'],
  ['--latency', '20', 'write a duration up to 600s, for example 20ms'],
  ['--plan', 'gratis', 'write paid or free'],
  ['--api', 'v3', 'write contract or later'],
  ['--org', 'a,,b', 'write ids with commas between, for example org-calm-sky-12345678'],
  ['--key-of', 'me', 'write person or organisation'],
  ['--list-cpu', 'no', 'write one of present, zero, absent'],
  ['--metered-in', 'day', 'write month or hour'],
  ['--consumption-lag', '3d', 'write a duration up to 48h, for example 15m'],
  ['--consumption-rate', '5/s', 'write requests a minute, for example 600/min'],
])('%s %s is refused with the flag, what was found and what to write', async (flag, value, advice) => {
  expect(await refuse(flag, value)).toEqual([2, `dbpm-exporter: ${flag}: found "${value}", ${advice}\n`]);
});

test.each([
  ['--org', 'org-a'],
  ['--list-cpu', 'zero'],
])('%s is refused without --api later', async (flag, value) => {
  expect(await refuse(flag, value)).toEqual([
    2,
    `dbpm-exporter: ${flag}: the contract knows nothing of it, add --api later\n`,
  ]);
});

test('a key of one organisation cannot be that of two', async () => {
  const flags = ['--api', 'later', '--org', 'org-a,org-b', '--key-of', 'organisation'];
  expect(await refuse(...flags)).toEqual([
    2,
    'dbpm-exporter: --key-of: a key of an organisation knows that one alone, but --org has 2: write --key-of person\n',
  ]);
});

test('serves a later version on request', async () => {
  const flags = [
    '--api',
    'later',
    '--org',
    'org-a,org-b',
    '--list-cpu',
    'absent',
    '--showcase',
    '--consumption-rate',
    '1/min',
  ];
  const { firstPrinted, ended, stop } = startCommand([
    '--api-key',
    'k',
    '--projects',
    '3',
    '--history-days',
    '0',
    ...flags,
  ]);
  const { base_url } = JSON.parse(await firstPrinted);
  const ask = (query: string) =>
    fetch(`${base_url}projects${query}`, { headers: { authorization: 'Bearer k' } });
  expect((await ask('')).status).toBe(400);
  const { projects } = (await (await ask('?org_id=org-b')).json()) as { projects: object[] };
  expect(projects[0]).toMatchObject({ org_id: 'org-b', active_time: 0 });
  expect(projects[0]).not.toHaveProperty('cpu_used_sec');
  const history = `${base_url}consumption_history/projects`;
  const askHistory = () => fetch(history, { headers: { authorization: 'Bearer k' } });
  expect([(await askHistory()).status, (await askHistory()).status]).toEqual([400, 429]);
  stop();
  await ended;
});

test('a malformed key is refused without repeating it', async () => {
  expect(await refuse('--api-key', 'two words')).toEqual([
    2,
    'dbpm-exporter: --api-key: found other characters than a key has, write printable ASCII without spaces\n',
  ]);
});

test('a history too large for memory is refused before it is made', async () => {
  expect(await refuse('--projects', '20000', '--history-days', '30')).toEqual([
    2,
    'dbpm-exporter: --history-days: found 30, which for 20000 projects does not fit into memory: ' +
      'write a whole number from 0 to 5, or fewer --projects\n',
  ]);
});

test('a port that is taken is said in one sentence before the history is made, exit 1', async () => {
  const first = startCommand(emptyFleet);
  const { host } = new URL(JSON.parse(await first.firstPrinted).base_url);
  const second = startCommand(['--listen', host, '--projects', '1000', '--history-days', '100']);
  expect([await second.ended, second.errors.join('')]).toEqual([
    1,
    `dbpm-exporter: ${host} is taken by another program: stop that one, or write --listen 127.0.0.1:0 for a free port\n`,
  ]);
  first.stop();
  await first.ended;
});

async function readHelp(): Promise<string> {
  const { printed, ended } = startCommand(['--help']);
  expect(await ended).toBe(0);
  return printed.join('');
}

test('the help lists every control call with every field it takes', async () => {
  const help = (await readHelp()).replaceAll(/ +/g, ' ');
  const now = 1_772_445_600;
  const later = {
    orgs: [],
    keyOf: 'person',
    listCpu: 'present',
    listDeleted: false,
    includedBranches: 1,
    consumptionLagSeconds: 0,
    unit: 'month',
  } as const;
  const account = createFleet({
    seed: 1,
    projects: 0,
    historyDays: 0,
    apiKey: 'k',
    plan: 'paid',
    now,
    later,
  });
  const routes = controlRoutes({ account, faults: createFaults(), advance: () => {} });
  expect(routes.length).toBeGreaterThan(10);
  for (const { method, path, fields = [] } of routes) {
    const [, text = ''] = help.split(`\n ${method} /_sim${path}`);
    const [entry = ''] = text.split(/\n (?:GET|POST|DELETE) /);
    expect(text, `${method} ${path}`).toMatch(/^[ \n]/);
    for (const field of fields) expect(entry).toContain(`"${field}":`);
  }
});

test.each([
  'Where the specification is silent\n',
  'endpoint[branch_id]=…',
  '413 a body above 1,000,000 bytes',
  'also for HEAD',
  'any case (bearer)',
  'X-Forwarded-For',
  'before the key, the rate limit and the path are looked at',
  '403 for a Host\n',
  'status 200 and an empty body',
  'stays until this call ends it',
])('the help says %s', async words => {
  expect(await readHelp()).toContain(words);
});

test('no line of the help is wider than 100 columns', async () => {
  expect((await readHelp()).split('\n').filter(line => line.length > 100)).toEqual([]);
});

/** Starts as the real one, but as if each fifth of the history took a second. */
const startSlowly: typeof startSimulator = ({ onProgress, ...options }) => {
  for (let fifth = 0; fifth < 5; fifth += 1) {
    onProgress?.(fifth / 5);
    onProgress?.(fifth / 5 + 0.001);
    vi.advanceTimersByTime(1000);
  }
  return startSimulator(options);
};

test.each([
  {
    terminal: true,
    said: [
      '\rmaking the history: 40%',
      '\rmaking the history: 60%',
      '\rmaking the history: 80%',
      '\r\u001b[K',
    ],
  },
  { terminal: false, said: [] },
])(
  'making a history for longer than two seconds is said on a terminal: $terminal',
  async ({ terminal, said }) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { firstPrinted, errors, ended, stop } = startCommand(emptyFleet, { terminal, start: startSlowly });
    await firstPrinted;
    expect(errors).toEqual(said);
    stop();
    expect(await ended).toBe(0);
  },
);

test('a command that is stopped while it makes the history ends at once and quietly', async () => {
  const { ended, errors, stop } = startCommand(['--projects', '100', '--history-days', '366'], {
    start: ({ onProgress, ...options }) =>
      startSimulator({ ...options, onProgress: share => (share > 0 ? stop() : onProgress?.(share)) }),
  });
  expect([await ended, errors]).toEqual([0, []]);
});

test('a request under way when the command is stopped is still answered', async () => {
  const { firstPrinted, ended, stop } = startCommand(['--api-key', 'k', '--latency', '200ms', ...emptyFleet]);
  const { base_url } = JSON.parse(await firstPrinted);
  const control = (path: string, init?: RequestInit) => fetch(new URL(`/_sim${path}`, base_url), init);
  await control('/faults', { method: 'POST', body: '{"match":"GET /projects","delay_ms":1,"times":1}' });
  const answer = fetch(`${base_url}projects`, { headers: { authorization: 'Bearer k' } });
  const isTaken = async () => !(await (await control('/faults')).text()).includes('delay_ms');
  await vi.waitUntil(isTaken, patience);
  stop();
  expect(await (await answer).json()).toEqual({ projects: [] });
  expect(await ended).toBe(0);
});
