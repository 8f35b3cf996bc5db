import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../../../../src/cli/command-line.ts';
import { exportCommand } from '../../../../src/cli/export.ts';
import { readLogin } from '../../../../src/export/backfill/remote/login.ts';
import { readReceiverAddress } from '../../../../src/export/backfill/remote/remote-export.ts';
import { makeFakeIo } from '../../../cli/fake-io.ts';
import { HistoryFolder } from '../../../support/history-folder.ts';
import { minute, projectsReading, startAt, wireProject } from '../../../support/reading-builder.ts';
import { startWriteReceiver, taken } from '../../../support/write-receiver.ts';

let receiver: Awaited<ReturnType<typeof startWriteReceiver>>;
let folder: HistoryFolder;
beforeAll(async () => {
  receiver = await startWriteReceiver();
  folder = new HistoryFolder();
  const history = folder.open();
  history.commitOne(projectsReading(startAt, [wireProject('p', { created_at: '2026-11-21T10:00:00Z' })]));
  folder.close(history);
});
afterAll(async () => {
  folder[Symbol.dispose]();
  await receiver.close();
});
beforeEach(() => {
  receiver.asked.length = 0;
  receiver.answer = () => taken;
});

const created = ['--metric', 'dbpm_project_created_timestamp_seconds'];

async function send(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { io, printed } = makeFakeIo({ env });
  const command = exportCommand(io, () => startAt + 2 * minute);
  const target = ['--history.file', folder.file, '--remote-write', receiver.url];
  const exitCode = await runCommandLine(io, ['export', ...target, ...created, ...argv], [command]);
  return { exitCode, ...printed, stderr: printed.stderr.replaceAll(folder.path, 'DIR') };
}

function put(name: string, text: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

const token = 'tok-8f2Kq0zLw77PxYtR';

test('a token, a login and headers come from files', async () => {
  await send(['--bearer-token-file', put('token', `${token}\n`)]);
  await send(['--basic-auth-file', put('basic', 'me:pass:word\n')]);
  const headers = put('headers', 'X-Scope-OrgID: fleet team\n\nAuthorization: Token abc\n');
  await send(['--header-file', headers]);
  expect(receiver.asked.map(({ headers }) => [headers.authorization, headers['x-scope-orgid']])).toEqual([
    [`Bearer ${token}`, undefined],
    [`Basic ${Buffer.from('me:pass:word').toString('base64')}`, undefined],
    ['Token abc', 'fleet team'],
  ]);
});

test('a token that is exchanged meanwhile is used at once', async () => {
  const path = put('token', 'old-token-1');
  receiver.answer = (_, index) => {
    put('token', 'new-token-22');
    return index === 0 ? { status: 503, headers: { 'retry-after': '0' } } : taken;
  };
  expect((await send(['--bearer-token-file', path])).exitCode).toBe(0);
  expect(receiver.asked.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer old-token-1',
    'Bearer new-token-22',
  ]);
});

test('what the receiver says shows no secret, however it writes it', async () => {
  const basic = put('basic', 'me:s3cret-Passw0rd');
  receiver.answer = ({ headers }) => ({
    status: 401,
    body: `no: ${headers.authorization} ${encodeURIComponent('s3cret-Passw0rd')} ${'x'.repeat(170)}s3cret-Passw0rd`,
  });
  const { exitCode, stderr } = await send(['--basic-auth-file', basic]);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^dbpm-exporter: the receiver answers 401: it wants a login, or another: give it with --bearer-token-file, .* \(it says: no: Basic \[redacted\] \[redacted\] x/,
  );
  expect(stderr).not.toMatch(/s3cret|Passw0rd/);
  expect(stderr).not.toContain(Buffer.from('me:s3cret-Passw0rd').toString('base64').slice(0, 12));
});

test('a file that every user may read is said', async () => {
  const path = put('token', token);
  chmodSync(path, 0o644);
  expect((await send(['--bearer-token-file', path])).stderr).toBe(
    'note: every user may read DIR/token: take that right away (chmod 600)\n',
  );
});

test.each([
  ['--bearer-token-file', 'two words', 'which holds no token: write it and nothing else'],
  ['--bearer-token-file', '', 'which holds no token: write it and nothing else'],
  ['--basic-auth-file', 'nobody', 'which holds no login: write user:password and nothing else'],
  ['--basic-auth-file', 'a:b\nc:d', 'which holds no login: write user:password and nothing else'],
  ['--header-file', '\n', 'which holds no header: write one a line, such as X-Scope-OrgID: team'],
  [
    '--header-file',
    'A: b\nno header',
    'whose line 2 is no header: write one a line, such as X-Scope-OrgID: team',
  ],
  ['--header-file', 'A: b\u0001', 'whose line 1 is no header: write one a line, such as X-Scope-OrgID: team'],
  [
    '--header-file',
    'Content-Length: 1',
    'which has the header content-length: leave it out, as the export sets it itself',
  ],
])('%s with %j is wrong usage', (flag, text, problem) => {
  const field = flag.slice(2).replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
  const path = put('file', text);
  expect(() => readLogin({ [field]: path })).toThrow(`${flag}: found "${path}", ${problem}`);
});

test('authorities that are none are wrong usage', async () => {
  expect(await send(['--ca-file', put('file', 'no certificate')])).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'dbpm-exporter: --ca-file: found "DIR/file", which holds no certificate that can be read\n',
  });
  expect(receiver.asked).toEqual([]);
});

test('a file that is not there is wrong usage, and a secret in its place is not shown', async () => {
  expect((await send(['--header-file', '/no/such'])).stderr).toBe(
    'dbpm-exporter: --header-file: found "/no/such", which does not exist\n',
  );
  expect((await send(['--bearer-token-file', token])).stderr).not.toContain(token);
});

test('two logins are wrong usage', async () => {
  const headers = put('headers', 'authorization: Token abc');
  expect(await send(['--header-file', headers, '--bearer-token-file', put('token', token)])).toMatchObject({
    exitCode: 2,
    stderr:
      'dbpm-exporter: --bearer-token-file, --basic-auth-file and Authorization in --header-file are logins: give one of them\n',
  });
});

test.each([
  ['not an address', 'is not an address: write one such as http://host:8428/api/v1/write'],
  ['ftp://host/', 'is not an address: write one such as http://host:8428/api/v1/write'],
  ['http://me:word@host/write', 'must not carry a user name or password: give them with --basic-auth-file'],
  ['http://host/write#part', 'must not carry a fragment: end it before the #'],
  [
    'http://host.example.com/write',
    'must start with https://, because over http:// the login travels readable',
  ],
])('the address %j is wrong usage, and not repeated', (address, problem) => {
  expect(() => readReceiverAddress(address, true)).toThrow(
    expect.objectContaining({ message: `--remote-write ${problem}`, kind: 'usage' }),
  );
});

test('a proxy that is none is said, and flags that mean nothing without a receiver', async () => {
  const https = ['--remote-write', 'https://host.invalid/write'];
  expect((await send(https, { HTTPS_PROXY: 'ftp://x' })).stderr).toContain(
    'environment: HTTPS_PROXY: found "ftp://x", write',
  );
  const { io, printed } = makeFakeIo();
  const argv = ['export', '--history.file', folder.file, '--patience', '1m'];
  expect(await runCommandLine(io, argv, [exportCommand(io)])).toBe(2);
  expect(printed.stderr).toBe('dbpm-exporter: --patience is for a receiver: name that with --remote-write\n');
  const tables = makeFakeIo();
  const asTables = [...argv, '--format', 'parquet', '--out', join(folder.path, 'tables')];
  expect(await runCommandLine(tables.io, asTables, [exportCommand(tables.io)])).toBe(2);
  expect(tables.printed.stderr).toBe('dbpm-exporter: --patience is not for --format parquet\n');
  expect(await send(['--out', 'file'])).toMatchObject({
    exitCode: 2,
    stderr: 'dbpm-exporter: --remote-write sends what --out and --blocks write: give one of them\n',
  });
});
