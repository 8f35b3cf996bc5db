import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { demoCommand } from '../../src/cli/demo.ts';
import { serveCommand } from '../../src/cli/serve.ts';
import type { Config } from '../../src/config/config.ts';
import type { DaemonModule } from '../../src/daemon/running-daemon.ts';
import { makeFakeIo } from './fake-io.ts';

const env = {
  DBPM_BASE_URL: 'https://api.example.com/api/v2/',
  DBPM_API_KEY: 'canary-key',
  DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:10062',
};

/** A daemon that only remembers, and stops the program as soon as it is ready. */
function makeDaemon(
  stop: () => void,
  failed = new Promise<never>(() => {}),
  workedOut: Promise<void> = Promise.resolve(),
) {
  const seen: { config?: Config; closed: number } = { closed: 0 };
  const loadDaemon = async (): Promise<DaemonModule> => ({
    startDaemon: async (config, { log }) => {
      seen.config = config;
      log.error({ err: new Error('401 with canary-key') }, 'a key in a log line');
      setImmediate(stop);
      const close = async () => {
        seen.closed += 1;
      };
      const nothing = { findStall: () => undefined, describe: () => '' };
      return { url: 'http://127.0.0.1:4711', failed, workedOut, reload: async () => [], ...nothing, close };
    },
  });
  return { seen, loadDaemon };
}

test('serve starts the daemon with the configuration and closes it when it is told to stop', async () => {
  const { io, printed, stop } = makeFakeIo({ env });
  const { seen, loadDaemon } = makeDaemon(stop);
  const argv = ['--web.listen-address', '127.0.0.1:0', '--log.format', 'json'];
  expect(await runCommandLine(io, argv, [serveCommand(io, { loadDaemon })])).toBe(0);
  expect(seen).toMatchObject({
    closed: 1,
    config: { web: { listenAddress: [{ host: '127.0.0.1', port: 0 }] } },
  });
  const lines = printed.stderr
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(lines.map(({ msg }) => msg)).toEqual(['a key in a log line', 'serving', 'stopping', 'stopped']);
  expect(lines[1]).toMatchObject({
    url: 'http://127.0.0.1:4711',
    paths: ['/', '/metrics', '/-/healthy', '/-/ready'],
    history: 'data/dbpm.sqlite',
  });
  expect(lines[3].ran).toMatch(/^\d+(\.\d)?s$/);
  expect(lines[0].err).toEqual({ message: '401 with [redacted]' });
  expect(printed.stdout).toBe('');
});

test('serve ends with 1 and what to do when the daemon cannot go on', async () => {
  const { io, printed } = makeFakeIo({ env });
  const failed = Promise.reject(new Error('the thread that keeps the history ended: start again'));
  failed.catch(() => {});
  const { seen, loadDaemon } = makeDaemon(() => {}, failed);
  expect(await runCommandLine(io, ['serve'], [serveCommand(io, { loadDaemon })])).toBe(1);
  expect(seen.closed).toBe(1);
  expect(printed.stderr).toMatch(/^dbpm-exporter: the thread that keeps the history ended: start again$/m);
});

test('serve prints every problem of the configuration and starts nothing', async () => {
  const { io, printed, stop } = makeFakeIo({ env: { ...env, DBPM_LOG_LEVEL: 'loud' } });
  const { seen, loadDaemon } = makeDaemon(stop);
  const argv = ['serve', '--log.format', 'text'];
  expect(await runCommandLine(io, argv, [serveCommand(io, { loadDaemon })])).toBe(2);
  expect(printed).toEqual({
    stdout: '',
    stderr:
      'flag: --log.format: found "text", write logfmt or json\n' +
      'environment: DBPM_LOG_LEVEL: found "loud", write debug, info, warn or error\n',
  });
  expect(seen.config).toBeUndefined();
});

test('a daemon that cannot start is one sentence, without stack and without key, and exit 1', async () => {
  const { io, printed } = makeFakeIo({ env });
  const startDaemon = async () => {
    throw new Error('the history is locked', { cause: new Error('by canary-key') });
  };
  expect(
    await runCommandLine(io, [], [serveCommand(io, { loadDaemon: async () => ({ startDaemon }) })]),
  ).toBe(1);
  expect(printed.stderr).toBe('dbpm-exporter: the history is locked: by [redacted]\n');
});

test.each([
  ['--web.listen-address', 'listenAddress'],
  ['--web.health-address', 'healthAddress'],
] as const)('an address of %s that is taken is named, with what to do', async (flag, key) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => taken.once('listening', resolve));
  const address = taken.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const startDaemon: DaemonModule['startDaemon'] = config =>
    new Promise((_, reject) => {
      const [{ host, port: wanted } = { host: '', port: 0 }] = config.web[key];
      createServer()
        .on('error', cause => reject(new Error('no start', { cause })))
        .listen(wanted, host);
    });
  const { io, printed } = makeFakeIo({ env });
  const exitCode = await runCommandLine(
    io,
    [flag, `127.0.0.1:${port}`],
    [serveCommand(io, { loadDaemon: async () => ({ startDaemon }) })],
  );
  taken.close();
  expect(exitCode).toBe(1);
  expect(printed.stderr).toBe(
    `dbpm-exporter: 127.0.0.1:${port} is taken by another program: stop that one, or choose another address with ${flag}\n`,
  );
});

test.each([
  ['npm run demo --', { npm_lifecycle_event: 'demo' }],
  ['dbpm-exporter demo', {}],
])('a demo whose address is taken names the command %s that takes another', async (command, given) => {
  const { io, printed } = makeFakeIo({ env: given });
  const startDaemon = async () => {
    throw Object.assign(new Error('taken'), { code: 'EADDRINUSE', syscall: 'listen', port: 10_062 });
  };
  const modules = { ...makeSimulator(), loadDaemon: async () => ({ startDaemon }) };
  expect(await runCommandLine(io, ['demo'], [demoCommand(io, modules)])).toBe(1);
  expect(printed.stderr).toBe(
    `dbpm-exporter: 127.0.0.1:10062 is taken by another program: stop that one, or choose another address with ${command} --web.listen-address 127.0.0.1:0\n`,
  );
});

test('a start that is given up because of a signal is no failure', async () => {
  const { io, printed, stop } = makeFakeIo({ env });
  const startDaemon: DaemonModule['startDaemon'] = async (_, { signal }) => {
    stop();
    signal.throwIfAborted();
    throw new Error('unreachable');
  };
  expect(
    await runCommandLine(io, [], [serveCommand(io, { loadDaemon: async () => ({ startDaemon }) })]),
  ).toBe(0);
  expect(printed.stderr).toBe('');
});

/** A simulated service that only remembers. */
function makeSimulator() {
  const seen = { closed: 0, options: {} };
  const loadSimulator = async () => ({
    startSimulator: async (options: object) => {
      seen.options = options;
      const close = async () => {
        seen.closed += 1;
      };
      return { base_url: 'http://127.0.0.1:4712/api/v2/', api_key: 'demo-key', projects: 12, close };
    },
  });
  return { seen, loadSimulator };
}

test('the demo watches its own simulated service, tells where to look and leaves nothing behind', async () => {
  const { io, printed, stop } = makeFakeIo({ env: { ...env, DBPM_LOG_LEVEL: 'loud' } });
  const simulator = makeSimulator();
  const daemon = makeDaemon(() => writeFileSync(daemon.seen.config?.history.file ?? '', 'history'));
  const argv = ['demo', '--projects', '3', '--history-days', '0'];
  const running = runCommandLine(io, argv, [demoCommand(io, { ...simulator, ...daemon })]);
  await vi.waitFor(() => expect(printed.stdout).not.toBe(''), 30_000);
  stop();
  expect(await running).toBe(0);
  const { config } = daemon.seen;
  const file = config?.history.file ?? '';
  expect(config).toMatchObject({
    accounts: [{ name: 'demo', requestsPerMinute: 60_000 }],
    collect: { schedule: '*/5 * * * * *' },
    web: { listenAddress: [{ host: '127.0.0.1', port: 10_062 }] },
    log: { level: 'warn' },
  });
  expect(config?.accounts[0]?.readApiKey()).toBe('demo-key');
  expect(simulator.seen).toMatchObject({
    closed: 1,
    options: { projects: 3, seed: 1, historyDays: 0, showcase: true },
  });
  expect(daemon.seen.closed).toBe(1);
  expect(existsSync(dirname(file))).toBe(false);
  const files = `--config.file ${join(dirname(file), 'demo.yaml')} --history.file ${file}`;
  expect(printed.stdout).toBe(`Open the console: http://127.0.0.1:4711/

It shows 12 simulated projects and their last 0 days, read every 5 seconds.

The same figures in a terminal:

  dbpm-exporter report cost ${files} --period billing
  dbpm-exporter report findings ${files}

A scrape configuration for Prometheus:

  scrape_configs:
    - job_name: dbpm
      metrics_path: /metrics
      static_configs:
        - targets: ['127.0.0.1:4711']

The rest of it:

  metrics            http://127.0.0.1:4711/metrics
  simulated service  http://127.0.0.1:4712/api/v2/
  ask it yourself    curl -H 'Authorization: Bearer demo-key' http://127.0.0.1:4712/api/v2/projects
  history            ${file} (removed at the end)

Open http://127.0.0.1:4711/ in a browser. Stop it with Ctrl+C: it leaves nothing behind.
`);
});

test('the demo keeps a history it was given a file for', async () => {
  const { io, printed, stop } = makeFakeIo();
  const daemon = makeDaemon(() => {});
  const argv = ['demo', '--history.file', '/nowhere/demo.sqlite'];
  const running = runCommandLine(io, argv, [demoCommand(io, { ...makeSimulator(), ...daemon })]);
  await vi.waitFor(() => expect(printed.stdout).not.toBe(''), 30_000);
  stop();
  expect(await running).toBe(0);
  expect(daemon.seen.config?.history.file).toBe('/nowhere/demo.sqlite');
  expect(printed.stdout).toContain('  history            /nowhere/demo.sqlite\n');
});

test('the demo tells where to look once its past is known, and shows on a terminal that it is read', async () => {
  const { io, printed, stop } = makeFakeIo({ terminal: true });
  const known = Promise.withResolvers<void>();
  const daemon = makeDaemon(() => {}, undefined, known.promise);
  const running = runCommandLine(io, ['demo'], [demoCommand(io, { ...makeSimulator(), ...daemon })]);
  const wait = 'Reading what simulated projects did in 122 days …';
  // A line of the log takes its place.
  const replaced = new RegExp(`^${wait}\r\u001b\\[K.*a key in a log line.*\n$`, 's');
  await vi.waitFor(() => expect(printed.stderr).toMatch(replaced), 30_000);
  expect(printed.stdout).toBe('');
  known.resolve();
  await vi.waitFor(() => expect(printed.stdout).toContain('Open the console'), 30_000);
  stop();
  expect(await running).toBe(0);
});

test('a demo whose past takes long tells where to look after eight seconds, and that more is to come', async () => {
  const { io, printed, stop } = makeFakeIo();
  const daemon = makeDaemon(() => {}, undefined, new Promise(() => {}));
  const { loadSimulator } = makeSimulator();
  let elapsedMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => elapsedMs);
  onTestFinished(() => clock.mockRestore());
  const slow = async () => {
    const { startSimulator } = await loadSimulator();
    return {
      startSimulator: async (options: object) => {
        elapsedMs += 7999.5;
        return startSimulator(options);
      },
    };
  };
  const running = runCommandLine(io, ['demo'], [demoCommand(io, { ...daemon, loadSimulator: slow })]);
  await vi.waitFor(() => expect(printed.stdout).toContain('Open the console'), 30_000);
  expect(printed.stdout).toContain(
    '\nIts past is still being read: the pages say what is missing, and get it by themselves.\n',
  );
  stop();
  expect(await running).toBe(0);
});

test('a demo that is stopped while it reads its past tells no address', async () => {
  const { io, printed, stop } = makeFakeIo();
  const daemon = makeDaemon(stop, undefined, new Promise(() => {}));
  expect(await runCommandLine(io, ['demo'], [demoCommand(io, { ...makeSimulator(), ...daemon })])).toBe(0);
  expect(printed.stdout).toBe('');
});

test('a demo that is stopped while its past is being made starts no daemon, and is no failure', async () => {
  const { io, printed, stop } = makeFakeIo();
  const daemon = makeDaemon(() => {});
  const loadSimulator = async () => ({
    startSimulator: async ({ signal }: { readonly signal: AbortSignal }) => {
      stop();
      signal.throwIfAborted();
      throw new Error('unreachable');
    },
  });
  expect(await runCommandLine(io, ['demo'], [demoCommand(io, { ...daemon, loadSimulator })])).toBe(0);
  expect(printed).toMatchObject({ stdout: '', stderr: '' });
  expect(daemon.seen.config).toBeUndefined();
});

test('the demo closes the simulated service when the daemon cannot start', async () => {
  const { io, printed } = makeFakeIo();
  const simulator = makeSimulator();
  const startDaemon = async () => {
    throw new Error('no room');
  };
  const command = demoCommand(io, { ...simulator, loadDaemon: async () => ({ startDaemon }) });
  expect(await runCommandLine(io, ['demo'], [command])).toBe(1);
  expect(printed.stderr).toBe('dbpm-exporter: no room\n');
  expect(simulator.seen.closed).toBe(1);
});
