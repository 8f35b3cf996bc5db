import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'dbpm-program-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the program as a user does, in an empty folder and an environment of its own. */
function start(
  argv: readonly string[],
  { node = process.execPath, env = {}, main = join(root, 'bin/dbpm-exporter.cjs') } = {},
) {
  const child = spawn(node, [main, ...argv], { cwd: folder, env });
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', chunk => {
    printed.stdout += chunk;
  });
  child.stderr.on('data', chunk => {
    printed.stderr += chunk;
  });
  const ended = once(child, 'close').then(([exitCode]) => ({ exitCode, ...printed }));
  return { child, ended };
}

const run = (...given: Parameters<typeof start>) => start(...given).ended;

/** A program around our own commands whose daemon is a stand-in, as a script to start. */
function standIn(startDaemon: string): string[] {
  const from = (path: string) => JSON.stringify(join(root, 'src', path));
  const script = `
    const { main } = await import(${from('main.ts')});
    const { serveCommand } = await import(${from('cli/serve.ts')});
    const loadDaemon = async () => ({ startDaemon: ${startDaemon} });
    await main(process, io => [serveCommand(io, { loadDaemon })]);
  `;
  return ['--input-type=module', '--eval', script];
}

function startStandIn(startDaemon: string) {
  const env = {
    DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:10062',
    DBPM_BASE_URL: 'https://api.example.com/api/v2/',
    DBPM_API_KEY: 'canary-key',
  };
  const [first = '', ...rest] = standIn(startDaemon);
  return start(rest, { main: first, env });
}

test('what Node compiled is kept for this user alone, and not taken from a folder that others may write to', async () => {
  const TMPDIR = mkdtempSync(join(folder, 'tmp-'));
  await run(['--version'], { env: { TMPDIR } });
  const [name = ''] = readdirSync(TMPDIR);
  const kept = join(TMPDIR, name);
  expect(name).toBe(`dbpm-exporter-compiled-${userInfo().uid}`);
  expect(statSync(kept).mode & 0o777).toBe(0o700);
  expect(readdirSync(kept)).toHaveLength(1);
  rmSync(kept, { recursive: true });
  mkdirSync(kept);
  chmodSync(kept, 0o777);
  expect(await run(['--version'], { env: { TMPDIR } })).toMatchObject({ exitCode: 0, stderr: '' });
  expect(readdirSync(kept)).toEqual([]);
});

test('check-config loads everything, creates no history and exits 0', async () => {
  const env = {
    DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:10062',
    DBPM_BASE_URL: 'https://api.example.com/api/v2/',
    DBPM_API_KEY: 'canary-key',
  };
  const { exitCode, stdout, stderr } = await run(['check-config', '--history.file', 'h.sqlite'], { env });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain(
    'history.file                     h.sqlite                                   flag --history.file\n',
  );
  expect(stdout).not.toContain('canary-key');
  expect(existsSync(join(folder, 'h.sqlite'))).toBe(false);
});

test('check-config says what is read for nothing', async () => {
  const env = {
    DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:10062',
    DBPM_BASE_URL: 'https://api.example.com/api/v2/',
    DBPM_API_KEY: 'canary-key',
    DBPM_SERIES_EXCLUDE: 'dbpm_api_key_*',
  };
  const { exitCode, stderr } = await run(['check-config'], { env });
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    'warning: environment DBPM_SERIES_EXCLUDE: series.exclude: found every metric that api_keys give, take api_keys out of collect.collectors too, which saves their requests\n',
  );
});

test('plan needs neither a server nor a client nor a metrics library', async () => {
  const refuse = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (['express', 'undici', 'prom-client'].includes(name)) throw new Error(name + ' was loaded');
      return next(name, context);
    } });`;
  const refusal = ['--import', `data:text/javascript,${encodeURIComponent(refuse)}`];
  const [first = '', ...rest] = [...refusal, join(root, 'bin/dbpm-exporter.cjs'), 'plan', '--projects', '10'];
  const { exitCode, stdout, stderr } = await start(rest, { main: first }).ended;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^Account main: 10 projects of 1 endpoint, 5% of them busy, as the flags say\.\n/);
});

test('a daemon that fails to start is one sentence and exit 1', async () => {
  const { ended } = startStandIn(
    `async () => { throw new Error('no history here', { cause: new Error('canary-key') }) }`,
  );
  expect(await ended).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'dbpm-exporter: no history here: [redacted]\n',
  });
});

test('an error outside of every promise is one sentence and exit 1', async () => {
  const { ended } = startStandIn(
    `async () => { setImmediate(() => { throw new Error('out of nowhere') }); return new Promise(() => setInterval(() => {}, 1000)) }`,
  );
  const stderr = 'dbpm-exporter: ended by an unexpected error: out of nowhere\n';
  expect(await ended).toEqual({ exitCode: 1, stdout: '', stderr });
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s closes the daemon and exits 0', async signal => {
  const { child, ended } = startStandIn(
    `async () => {
    const work = setInterval(() => {}, 1000);
    return { url: 'http://x', failed: new Promise(() => {}), close: async () => { clearInterval(work); console.log('closed'); } };
  }`,
  );
  child.stderr.on('data', chunk => String(chunk).includes('serving') && child.kill(signal));
  expect(await ended).toMatchObject({ exitCode: 0, stdout: 'closed\n' });
});

test.each([
  ['SIGTERM', 'bin/dbpm-exporter.cjs', 'src/main.ts'],
  ['SIGINT', 'bin/dbpm-exporter.cjs', 'src/main.ts'],
  ['SIGTERM', 'src/main.ts', 'cli/command-list.ts'],
  ['SIGINT', 'src/main.ts', 'cli/command-list.ts'],
])('%s before anything was begun by %s ends it as one that has', async (signal, entry, loaded) => {
  const tell = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name.endsWith('${loaded}')) process.kill(process.pid, '${signal}');
      return next(name, context);
    } });`;
  const told = ['--import', `data:text/javascript,${encodeURIComponent(tell)}`];
  const [first = '', ...rest] = [...told, join(root, entry), 'serve'];
  const env = {
    DBPM_BASE_URL: 'https://api.example.com/api/v2/',
    DBPM_API_KEY: 'canary-key',
    DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:0',
    DBPM_HISTORY_FILE: join(folder, `told-${signal}.sqlite`),
  };
  expect(await start(rest, { main: first, env }).ended).toMatchObject({ exitCode: 0 });
});

test('a second signal ends a daemon that does not close', async () => {
  const { child, ended } = startStandIn(
    `async () => {
      setInterval(() => {}, 1000);
      const close = () => new Promise(() => {
        // Half a second goes by.
        const now = performance.now();
        performance.now = () => now + 501;
        console.log('closing');
      });
      return { url: 'http://x', failed: new Promise(() => {}), close };
    }`,
  );
  child.stderr.on('data', chunk => String(chunk).includes('serving') && child.kill('SIGTERM'));
  child.stdout.on('data', () => child.kill('SIGTERM'));
  expect(await ended).toMatchObject({ exitCode: 1, stdout: 'closing\n' });
});

test('a signal that a terminal and npm both pass on is one, and the daemon closes', async () => {
  const { child, ended } = startStandIn(
    `async () => {
      const alive = setInterval(() => {}, 1000);
      // Both are told at the same instant, however long this machine takes between them.
      performance.now = () => 0;
      const { promise: told, resolve } = Promise.withResolvers();
      const signals = new Set();
      for (const each of ['SIGINT', 'SIGTERM'])
        process.on(each, () => signals.add(each).size === 2 && resolve());
      const close = () => told.then(() => {
        clearInterval(alive);
        console.log('closed');
      });
      return { url: 'http://x', failed: new Promise(() => {}), close };
    }`,
  );
  child.stderr.on('data', chunk => {
    if (String(chunk).includes('serving'))
      for (const signal of ['SIGINT', 'SIGTERM'] as const) child.kill(signal);
  });
  expect(await ended).toMatchObject({ exitCode: 0, stdout: 'closed\n' });
});

test('a reader that goes away is no error', async () => {
  const { child, ended } = start(['--help']);
  child.stdout.destroy();
  expect(await ended).toMatchObject({ exitCode: 0, stderr: '' });
});

test.skipIf(!existsSync('/dev/full'))('what could not be printed is one sentence and exit 1', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/dbpm-exporter.cjs'), 'rules'], {
    ...{ cwd: folder, env: {}, encoding: 'utf8' },
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  expect(stderr).toMatch(/^dbpm-exporter: stdout cannot be written: ENOSPC[^\n]*\n$/);
  expect(status).toBe(1);
});

test('what a file could not take whole is one sentence and exit 1', () => {
  const words = [process.execPath, join(root, 'bin/dbpm-exporter.cjs'), 'rules'];
  const { status, stderr } = spawnSync('sh', ['-c', 'ulimit -f 8; exec "$@" > short.yml', 'sh', ...words], {
    cwd: folder,
    env: { TMPDIR: folder },
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^dbpm-exporter: stdout cannot be written: EFBIG[^\n]*\n$/);
  expect(status).toBe(1);
});

const systemNode = '/usr/bin/node';
const systemVersion = existsSync(systemNode)
  ? execFileSync(systemNode, ['--version'], { encoding: 'utf8' }).trim()
  : 'absent';
const isOlder = Number(/^v(\d+)/.exec(systemVersion)?.[1] ?? 24) < 24;
if (!isOlder)
  console.log(`skipped: ${systemNode} is ${systemVersion}, and the refusal needs a Node older than 24`);

test.skipIf(!isOlder)('an older Node is refused in one sentence', async () => {
  expect(await run(['--version'], { node: systemNode })).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `dbpm-exporter needs Node 24.2 or newer and this is ${systemVersion}: start it with "npm start --", which uses the Node that "npm ci" installed.\n`,
  });
});
