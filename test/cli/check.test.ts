import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { checkCommand } from '../../src/cli/check.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { type Simulator, startSimulator } from '../../src/simulator/server.ts';
import { makeCertificates } from '../support/certificate.ts';
import { listenOnLoopback } from '../support/loopback-server.ts';
import { findPeer } from '../support/peer.ts';
import { makeFakeIo } from './fake-io.ts';

const apiKey = 'canary-5b0e91d77c34';
const failure = 'dbpm-exporter: account main cannot be read, or not wholly: what failed says what to do\n';

let simulator: Simulator;
let folder = '';
beforeAll(async () => {
  simulator = await startSimulator({ apiKey, projects: 12, historyDays: 1 });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dbpm-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await control('DELETE', '/faults');
});

async function control(method: string, path: string, body?: object, service = simulator): Promise<void> {
  const init = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(service.control_url + path, { method, ...init });
  expect(response.ok).toBe(true);
}

/** Checks the simulated account, and makes the same of what differs from run to run. */
async function check(env: Readonly<Record<string, string>> = {}, ...argv: string[]) {
  const { io, printed } = makeFakeIo({
    env: {
      DBPM_BASE_URL: simulator.base_url,
      DBPM_API_KEY: apiKey,
      DBPM_HISTORY_FILE: join(folder, 'dbpm.sqlite'),
      ...env,
    },
  });
  const exitCode = await runCommandLine(io, ['check', ...argv], [checkCommand(io)]);
  expect(printed.stdout + printed.stderr).not.toContain(apiKey);
  const stdout = printed.stdout
    .replaceAll(/:\d{4,5}\//g, ':PORT/')
    .replaceAll(/(?<=median |worst )\S+( ms)?(?=,)/g, 'TIME')
    .replaceAll(/(, )?request_id [\w-]+/g, '');
  return { exitCode, stdout, stderr: printed.stderr, lines: stdout.split('\n').map(line => line.trim()) };
}

const notAsked = ['-     endpoints       not asked', '-     operations      not asked'];
const notKnown = [
  '-     latency         not known: no list was answered',
  '-     clock           not known: no list was answered',
  '-     request budget  not known: it depends on how many projects there are',
];

test('an account that can be read is told of in full, with few requests and without a history', async () => {
  expect(await check()).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: `Account main, http://127.0.0.1:PORT/api/v2/

  ok    connection      answers, without TLS
  ok    API key         accepted
  ok    projects        12 projects
  ok    API keys        9 API keys
  ok    endpoints       readable of 5 sampled projects, which have 11 endpoints
  ok    operations      readable of 5 sampled projects
  ok    latency         median TIME, worst TIME, of 13 requests
  ok    clock           that of the service and of this host are in step
  ok    request budget  The budget is enough, with 266.3 requests a minute to spare.
`,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a service that asks for the organisation is answered with the setting that names one', async () => {
  const body = JSON.stringify({ message: 'org_id is required' });
  await control('POST', '/faults', { match: 'GET /projects', status: 400, body });
  const asked = await check();
  expect(asked.exitCode).toBe(1);
  expect(asked.lines).toContain(
    'FAIL  projects        400 from GET /projects: this key is one of a person, so the service must be told the organisation; set org_id of the account, or DBPM_ORG_ID, to its id (the service says: org_id is required)',
  );
  await control('DELETE', '/faults');
  const told = await check({ DBPM_ORG_ID: 'org-a' });
  expect(told.exitCode).toBe(0);
  expect(told.lines[0]).toBe('Account main, http://127.0.0.1:PORT/api/v2/, organisation org-a');
});

describe('compute that the list does not tell', () => {
  async function checkLater(listCpu: 'absent' | 'present', env: Readonly<Record<string, string>> = {}) {
    const later = await startSimulator({ apiKey, projects: 6, api: 'later', listCpu });
    onTestFinished(() => later.close());
    const { lines, exitCode } = await check({ DBPM_BASE_URL: later.base_url, ...env });
    return { exitCode, compute: lines.filter(line => line.includes(' compute  ')), budget: lines.at(-2) };
  }

  test('is told by each project, and planned for', async () => {
    expect((await checkLater('present')).compute).toEqual([]);
    const { exitCode, compute, budget } = await checkLater('absent');
    expect([exitCode, ...compute]).toEqual([
      0,
      'ok    compute         told by each project itself (compute_time_seconds)',
    ]);
    const listed = await checkLater('absent', { DBPM_CPU_SOURCE: 'list' });
    expect(listed.compute).toEqual([
      'warn  compute         the list of projects does not tell cpu_used_sec: use and cost will not be known',
    ]);
    expect(budget).not.toBe(listed.budget);
  });

  test('is told by nobody', async () => {
    const told = await check({ DBPM_CPU_SOURCE: 'project' });
    expect(told.exitCode).toBe(0);
    expect(told.lines).toContain(
      'warn  compute         cpu_source is project, but a project itself does not tell compute_time_seconds: write auto',
    );
    const body = JSON.stringify({ projects: [{ id: 'p', name: 'p' }] });
    await control('POST', '/faults', { match: 'GET /projects', status: 200, body });
    expect((await check()).lines).toContain(
      'warn  compute         told neither by the list of projects nor by a project itself: use and cost will not be known',
    );
  });
});

test('programs get the same as JSON', async () => {
  const { exitCode, stdout } = await check({ DBPM_COLLECT_IDLE_REFRESH: '1s' }, '--format', 'json');
  const { accounts } = JSON.parse(stdout);
  expect(exitCode).toBe(0);
  expect(accounts).toMatchObject([
    {
      account: 'main',
      readable: true,
      projects: 12,
      watched_projects: 12,
      api_keys: 9,
      sampled_projects: 5,
      sampled_endpoints: 11,
      requests: 13,
      failed_requests: 0,
      latency_seconds: { median: expect.any(Number), worst: expect.any(Number) },
      clock_skew_seconds: expect.any(Number),
      plan: { projects: 12, endpoints_per_project: 2.2, api_keys: 9, advice: { enough: false } },
    },
  ]);
  expect(accounts[0].checks[0]).toEqual({ check: 'connection', status: 'ok', says: 'answers, without TLS' });
  expect(accounts[0].checks.at(-1)).toEqual({
    check: 'request budget',
    status: 'warning',
    says: expect.stringMatching(/^The budget is too small: .* Write requests_per_minute: \d+ or more/),
  });
});

test('a key that is wrong or revoked is the one thing that failed, which is said first, and nothing more is asked', async () => {
  const { exitCode, stderr, lines } = await check({ DBPM_API_KEY: 'unknown-3f1c9a7b2e' });
  expect([exitCode, stderr]).toEqual([1, failure]);
  expect(lines.slice(2, -1)).toEqual([
    expect.stringMatching(
      /^FAIL {2}API key {9}401 from GET \/projects: the API key is missing, mistyped or revoked/,
    ),
    '',
    'ok    connection      answers, without TLS',
    '-     projects        not known: no list was answered',
    '-     API keys        not asked',
    ...notAsked,
    ...notKnown,
  ]);
  const { id } = simulator.account.keys.create('revoked-9c1f2b7d');
  simulator.account.keys.revoke(id);
  const revoked = await check({ DBPM_API_KEY: 'revoked-9c1f2b7d' });
  expect(revoked.lines[2]).toBe(lines[2]);
});

test('a list that the key may not read fails alone, unless it is not to be read', async () => {
  await control('POST', '/faults', { match: 'GET /api_keys', status: 403 });
  const { exitCode, stderr, lines } = await check();
  expect([exitCode, stderr]).toEqual([1, failure]);
  expect(lines.filter(line => !line.startsWith('ok')).slice(2, -1)).toEqual([
    'FAIL  API keys        403 from GET /api_keys: the API key may not read this; use a key of an account that may, or leave api_keys out of collect.collectors',
    '',
  ]);
  const without = await check({ DBPM_COLLECT_COLLECTORS: 'projects, endpoints' });
  expect(without.exitCode).toBe(0);
  expect(without.lines).toContain('-     API keys        off by collect.collectors');
  expect(without.lines).toContain('-     operations      off by collect.collectors');
});

test('projects that cannot be read make their line fail, and one with running operations does not', async () => {
  await control('POST', '/faults', { match: 'GET /projects/*/operations', status: 423, times: 2 });
  await control('POST', '/faults', { match: 'GET /projects/*/endpoints', status: 403 });
  const { exitCode, lines } = await check();
  expect(exitCode).toBe(1);
  expect(lines).toContain('ok    operations      readable of 4 sampled projects');
  expect(lines.find(line => line.startsWith('FAIL'))).toMatch(
    /^FAIL {2}endpoints {7}403 from GET \/projects\/\{project_id\}\/endpoints: the API key may not read this/,
  );
});

test('operations that say nothing of use make their line fail', async () => {
  const body = '{"operations":[{"id":"o-1"},{"id":"o-2"}]}';
  await control('POST', '/faults', { match: 'GET /projects/*/operations', status: 200, body });
  const { exitCode, lines } = await check();
  expect(exitCode).toBe(1);
  expect(lines).toContain(
    'FAIL  operations      2 of 2 items in the answer of GET /projects/{project_id}/operations cannot be used: check that base_url is that of an API of version 2',
  );
});

test('an address that is not that of the service says what to look at', async () => {
  const elsewhere = await check({ DBPM_BASE_URL: simulator.base_url.replace('v2', 'v3') });
  expect(elsewhere.exitCode).toBe(1);
  expect(elsewhere.lines.slice(2, 7)).toEqual([
    expect.stringMatching(
      /^FAIL {2}projects {8}404 from GET \/projects: there is nothing at this address; check base_url/,
    ),
    '',
    'ok    connection      answers, without TLS',
    '-     API key         not known: no list was answered',
    '-     API keys        not asked',
  ]);
  const unreachable = await check({ DBPM_BASE_URL: 'http://127.0.0.1:9/api/v2/' });
  expect([unreachable.exitCode, unreachable.stderr]).toEqual([1, failure]);
  expect(unreachable.lines.slice(2, -1)).toEqual([
    expect.stringMatching(/^FAIL {2}connection {6}GET \/projects failed: .*check base_url.*ECONNREFUSED/),
    '',
    '-     API key         not known: no list was answered',
    '-     projects        not known: no list was answered',
    '-     API keys        not asked',
    ...notAsked,
    ...notKnown,
  ]);
});

test('a service that asks to be left alone is left alone', async () => {
  const headers = { 'retry-after': '600' };
  await control('POST', '/faults', { match: 'GET /projects', status: 429, headers, times: 1 });
  const { exitCode, lines } = await check();
  expect(exitCode).toBe(1);
  expect(lines.filter(line => /projects|API keys/.test(line))).toEqual([
    expect.stringMatching(/^FAIL {2}projects {8}429 from GET \/projects: the account is asked too often/),
    '-     API keys        not asked',
    '-     request budget  not known: it depends on how many projects there are',
  ]);
});

test('a clock that is off is told of', async () => {
  const ahead = { date: new Date(Date.now() + 3_600_000).toUTCString() };
  await control('POST', '/faults', { match: '*', headers: ahead });
  const { exitCode, lines } = await check();
  expect(exitCode).toBe(0);
  expect(lines.find(line => line.includes('clock'))).toMatch(
    /^warn {2}clock {11}that of the service is (1h|59m\d\ds) ahead of this host's: set this host's by NTP; if it is right, tell who runs the service$/,
  );
});

/** A service that refuses `limit` so often, and chooses the size of a page itself. */
async function openPaged(options: { projects: number; pageProjects: number; refusals: number }) {
  const { refusals, ...fleet } = options;
  const paged = await startSimulator({ apiKey, historyDays: 0, ...fleet });
  onTestFinished(() => paged.close());
  await control('POST', '/faults', { match: 'GET /projects', status: 400, times: refusals }, paged);
  return paged;
}

describe('the size of a fleet', () => {
  test('is counted over all pages of the list, and of what is watched', async () => {
    const paged = await openPaged({ projects: 30, pageProjects: 10, refusals: 2 });
    const file = join(folder, 'dbpm.yaml');
    writeFileSync(
      file,
      `accounts:
  - name: main
    base_url: ${paged.base_url}
    api_key_env: MAIN_KEY
    projects: {exclude: ["a*", "b*", "c*"]}
  - name: none
    base_url: ${paged.base_url}
    api_key_env: MAIN_KEY
    projects: {include: [no-project-has-this-name]}
`,
    );
    const unused = { DBPM_BASE_URL: '', DBPM_API_KEY: '' };
    const { lines, exitCode } = await check({ ...unused, MAIN_KEY: apiKey }, '--config.file', file);
    expect(exitCode).toBe(0);
    const listed = lines.filter(line => line.includes(' projects  '));
    expect(listed).toEqual([
      expect.stringMatching(/^ok {4}projects {8}30 projects on 3 pages, [12]\d of them watched$/),
      'warn  projects        30 projects on 3 pages, 0 of them watched: look at projects.include and projects.exclude, which match names and ids',
    ]);
    expect(lines).toContain('-     endpoints       there is no project to ask for them');
  });

  test('is at least so much where the list has too many pages, and then nothing is planned', async () => {
    const long = await openPaged({ projects: 52, pageProjects: 1, refusals: 1 });
    const env = { DBPM_BASE_URL: long.base_url, DBPM_REQUESTS_PER_MINUTE: '60000' };
    const { lines, exitCode } = await check({ ...env, DBPM_COLLECT_COLLECTORS: 'projects' });
    expect(exitCode).toBe(0);
    expect(lines).toContain(
      'warn  projects        50 projects on 50 pages, but the list is not whole: reading ended before it did, to spare the request budget; the daemon reads on',
    );
    expect(lines).toContain(notKnown[2]);
  });

  test('is not whole where the service could not list all', async () => {
    const body = JSON.stringify({
      projects: [{ id: 'p', name: 'p' }, null],
      unavailable_project_ids: ['x', 'y'],
    });
    await control('POST', '/faults', { match: 'GET /projects', status: 200, body });
    const { lines } = await check();
    expect(lines).toContain(
      'warn  projects        1 project, but the list is not whole: 2 projects could not be listed by the service in time; they are listed later',
    );
  });
});

test('a wrong configuration ends with 2 before anything is asked', async () => {
  const { exitCode, stdout, stderr } = await check({ DBPM_API_KEY: '' });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^environment: DBPM_API_KEY: found nothing/);
});

test('what failed and what is to be looked at have colours on a terminal, unless programs read it', async () => {
  await control('POST', '/faults', { match: 'GET /api_keys', status: 403 });
  const env = { DBPM_BASE_URL: simulator.base_url, DBPM_API_KEY: apiKey, DBPM_COLLECT_IDLE_REFRESH: '1s' };
  const run = async (...argv: string[]) => {
    const { io, printed } = makeFakeIo({ env, colors: true });
    await runCommandLine(io, ['check', ...argv], [checkCommand(io)]);
    return printed.stdout;
  };
  const table = await run();
  expect(table).toContain('\n  \u001b[31mFAIL\u001b[39m  API keys  ');
  expect(table).toContain('\n  \u001b[33mwarn\u001b[39m  request budget  ');
  expect(table).toContain('\n  ok    projects  ');
  expect(await run('--format', 'json')).not.toContain('\u001b');
});

test('a signal ends it', async () => {
  const { io, printed, stop } = makeFakeIo({
    env: { DBPM_BASE_URL: simulator.base_url, DBPM_API_KEY: apiKey },
  });
  stop();
  expect(await runCommandLine(io, ['check'], [checkCommand(io)])).toBe(1);
  expect(printed).toEqual({ stdout: '', stderr: 'dbpm-exporter: it was told to stop\n' });
});

const openssl = findPeer('openssl');

test.skipIf(openssl === undefined)('a certificate that is not trusted fails the connection', async () => {
  const certificates = makeCertificates(openssl ?? '');
  certificates.issue('server', ['DNS:localhost']);
  const server = createServer(
    { cert: certificates.read('server.crt'), key: certificates.read('server.key') },
    (_, response) => response.end('{"projects":[]}'),
  );
  const { port, close } = await listenOnLoopback(server);
  onTestFinished(close);
  const { exitCode, lines } = await check({ DBPM_BASE_URL: `https://localhost:${port}/api/v2/` });
  expect(exitCode).toBe(1);
  expect(lines[2]).toMatch(/^FAIL {2}connection {6}GET \/projects failed: .*certificate/);
  expect(lines.slice(3, 5)).toEqual(['', '-     API key         not known: no list was answered']);
});

test.skipIf(!openssl)('a certificate that ends soon is warned of, while it is still trusted', async () => {
  const certificates = makeCertificates(openssl ?? '');
  certificates.issue('server', ['DNS:localhost']);
  const server = createServer(
    { cert: certificates.read('server.crt'), key: certificates.read('server.key') },
    ({ url }, response) => response.end(url?.includes('/api_keys') ? '[]' : '{"projects":[]}'),
  );
  const { port, close } = await listenOnLoopback(server);
  onTestFinished(close);
  const env = {
    DBPM_BASE_URL: `https://localhost:${port}/api/v2/`,
    DBPM_CA_FILE: certificates.path('ca.crt'),
  };
  const { exitCode, lines } = await check(env);
  expect(exitCode).toBe(0);
  expect(lines[2]).toMatch(
    /^warn {2}connection {6}answers over TLS, with a certificate that is trusted and ends on \d{4}-\d\d-\d\d, in (2d|1d23h\S*|1d\S*|47h\S*): who runs the service must renew it$/,
  );
  const { stdout } = await check(env, '--format', 'json');
  const { certificate_ends_at: endsAt } = JSON.parse(stdout).accounts[0];
  const { validToDate } = new X509Certificate(certificates.read('server.crt'));
  expect(new Date(endsAt)).toEqual(validToDate);
});

test('a service that repeats the key in disguise does not have it printed', async () => {
  const body = JSON.stringify({ message: `no: ${apiKey.toUpperCase()}`, code: apiKey.slice(0, 14) });
  await control('POST', '/faults', { match: '*', status: 403, body });
  const { stdout } = await check();
  expect(stdout).toContain('the service says: no: [redacted]');
  expect(stdout.toLowerCase()).not.toContain('5b0e91d7');
});
