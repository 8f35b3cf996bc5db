import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { hashSync } from 'bcrypt';
import { expect, onTestFinished, test } from 'vitest';
import { readSourceFile } from '../../src/config/source-file.ts';
import { readWebFile } from '../../src/config/web-file.ts';
import { WebAccessWatch } from '../../src/daemon/web-access-watch.ts';
import { createLogger } from '../../src/log/logger.ts';
import { openServer } from '../http/open-server.ts';
import { makeCertificates } from '../support/certificate.ts';
import { describeWithPeers } from '../support/peer.ts';

const users = `basic_auth_users:\n  alice: ${hashSync('open', 4)}\n  bob: ${hashSync('open', 4)}\n`;

/** Follows a file that is there, and keeps what is said of its changes. */
function watch(path: string) {
  const said: string[] = [];
  const write = (line: string) => void said.push(JSON.parse(line).problem);
  const { file } = readWebFile(path, readSourceFile);
  const log = createLogger({ level: 'error', format: 'json', write });
  return { watched: new WebAccessWatch(file, log), said };
}

function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-web-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'web.yml');
  writeFileSync(path, text);
  return path;
}

test('logins stay however a file is emptied, commented out or cut', () => {
  const path = fileOf(users);
  const { watched } = watch(path);
  const cuts = Array.from({ length: users.length }, (_, length) => users.slice(0, length));
  for (const text of ['# later\n', '{}\n', 'basic_auth_users:\n', 'rate_limit: {interval: 0}\n', ...cuts]) {
    writeFileSync(path, text);
    expect(watched.access.users.size, text).toBeGreaterThan(0);
  }
});

test('the last login is taken away by a restart alone, which is said, and one of two at once', () => {
  const path = fileOf(users);
  const { watched, said } = watch(path);
  writeFileSync(path, users.replace(/ {2}bob.*\n/, ''));
  expect([...watched.access.users.keys()]).toEqual(['alice']);
  expect(said).toEqual([]);
  writeFileSync(path, 'rate_limit: {interval: 1s, burst: 9}\n');
  expect([...watched.access.users.keys()]).toEqual(['alice']);
  expect(said).toEqual([
    'basic_auth_users was taken away, which needs a restart: restart the daemon, or take the change back',
  ]);
});

test('a change between the first reading and the first question is not missed', () => {
  const path = fileOf(users);
  const { watched } = watch(path);
  writeFileSync(path, users.replace('alice', 'carol'));
  expect([...watched.access.users.keys()]).toEqual(['carol', 'bob']);
});

/** Rewrites a file in place, in pieces, until told; counts how often. */
function rewriteWithoutRest(path: string, pieces: readonly string[]) {
  const counts = new Int32Array(new SharedArrayBuffer(8));
  const source = `
    const { closeSync, ftruncateSync, openSync, writeSync } = require('node:fs');
    const { workerData: { path, pieces, counts } } = require('node:worker_threads');
    while (Atomics.load(counts, 1) === 0) {
      const file = openSync(path, 'r+');
      ftruncateSync(file, 0);
      for (const piece of pieces) writeSync(file, piece);
      closeSync(file);
      Atomics.add(counts, 0, 1);
    }`;
  const worker = new Worker(source, { eval: true, workerData: { path, pieces, counts } });
  onTestFinished(() => {
    Atomics.store(counts, 1, 1);
    return worker.terminate().then(() => {});
  });
  return { count: () => Atomics.load(counts, 0) };
}

test('nobody comes in without a login, and alice always does, while the file is rewritten thousands of times', async () => {
  const path = fileOf(users);
  const { watched } = watch(path);
  const { get } = await openServer({ access: () => watched.access });
  const halves = ['# ours\n', users.slice(0, users.indexOf('  bob')), users.slice(users.indexOf('  bob'))];
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  onTestFinished(() => agent.destroy());
  const alice = { authorization: `Basic ${Buffer.from('alice:open').toString('base64')}` };
  expect((await get('/metrics', alice)).status).toBe(200);
  const rewriting = rewriteWithoutRest(path, halves);
  const statuses = { stranger: new Set<number | undefined>(), alice: new Set<number | undefined>() };
  for (let asked = 0; asked < 2000 || rewriting.count() < 2000; asked += 20) {
    const asking = Array.from({ length: 20 }, async (_, index) => {
      const who = index % 4 === 0 ? 'alice' : 'stranger';
      statuses[who].add((await get('/metrics', who === 'alice' ? alice : {}, { agent })).status);
    });
    await Promise.all(asking);
  }
  expect(statuses).toEqual({ stranger: new Set([401]), alice: new Set([200]) });
});

describeWithPeers(['openssl'], 'TLS and client certificates', ({ openssl }) => {
  const open = (more = '') => {
    const files = makeCertificates(openssl);
    files.issue('server', ['DNS:localhost']);
    const text = `tls_server_config:
  cert_file: server.crt
  key_file: server.key
  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: ca.crt
  client_allowed_sans: [prometheus]
${more}`;
    writeFileSync(files.path('web.yml'), text);
    return { files, text, ...watch(files.path('web.yml')) };
  };

  test('stay as they are however one of their files is emptied or cut', () => {
    const { files, watched } = open(users);
    const authority = files.read('ca.crt').trimEnd();
    for (const name of ['web.yml', 'server.crt', 'server.key', 'ca.crt']) {
      const text = files.read(name);
      const lines = text.split('\n');
      for (let count = 0; count < lines.length; count += 1) {
        writeFileSync(files.path(name), lines.slice(0, count).join('\n'));
        const { users: logins, tls } = watched.access;
        expect(logins.size, `${name} cut after ${count} lines`).toBeGreaterThan(0);
        expect(tls, `${name} cut after ${count} lines`).toMatchObject({
          clientAuth: 'RequireAndVerifyClientCert',
          clientCa: expect.stringContaining(authority),
          clientAllowedSans: ['prometheus'],
        });
      }
      writeFileSync(files.path(name), text);
    }
  });

  test.each([
    [
      'tls_server_config',
      'tls_server_config was',
      /tls_server_config(?:.*\n)+/,
      'rate_limit: {interval: 0}\n',
    ],
    ['the authority', 'client_ca was', / {2}client_ca_file.*\n/, ''],
    ['the names', 'client_allowed_sans was', / {2}client_allowed_sans.*\n/, ''],
  ])('%s are taken away by a restart alone', (_, what, pattern, instead) => {
    const { files, text, watched, said } = open();
    const before = watched.access;
    writeFileSync(files.path('web.yml'), text.replace(pattern, instead));
    expect(watched.access).toBe(before);
    expect(said.join()).toContain(`${what} taken away, which needs a restart`);
  });
});
