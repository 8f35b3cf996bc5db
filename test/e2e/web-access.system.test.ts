import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashSync } from 'bcrypt';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeCertificates } from '../support/certificate.ts';
import { startProgram } from '../support/daemon-process.ts';
import { patience } from '../support/patience.ts';
import { describeWithPeers } from '../support/peer.ts';
import { startPrometheus } from '../support/prometheus.ts';
import { startWorld, worldKey } from './simulated-world.ts';

async function openWorld() {
  const world = await startWorld({ projects: 2, historyDays: 1 });
  onTestFinished(() => world.close());
  return world;
}

describeWithPeers(
  ['openssl', 'prometheus'],
  'a daemon with a web configuration',
  ({ openssl, prometheus }) => {
    const prepare = () => {
      const files = makeCertificates(openssl);
      files.issue('server', ['IP:127.0.0.1', 'DNS:localhost']);
      files.issue('client', ['DNS:prometheus.example.org']);
      const write = (users: readonly string[], more: Readonly<Record<string, unknown>> = {}) =>
        writeFileSync(
          files.path('web.yml'),
          JSON.stringify({
            tls_server_config: {
              cert_file: 'server.crt',
              key_file: 'server.key',
              client_auth_type: 'RequireAndVerifyClientCert',
              client_ca_file: 'ca.crt',
              ...more,
            },
            basic_auth_users: Object.fromEntries(users.map(user => [user, hashSync('open', 5)])),
          }),
        );
      const client = {
        ca: files.read('ca.crt'),
        cert: files.read('client.crt'),
        key: files.read('client.key'),
      };
      const ask = (url: string, user: string): Promise<{ status?: number | undefined; serial?: string }> =>
        new Promise((resolve, reject) => {
          const outgoing = request(`${url}/metrics`, { ...client, agent: false, auth: `${user}:open` });
          outgoing.on('error', reject).on('response', response => {
            const { socket } = response;
            const serial =
              'getPeerCertificate' in socket ? Object(socket).getPeerCertificate().serialNumber : '';
            response.resume().on('end', () => resolve({ status: response.statusCode, serial }));
          });
          outgoing.end();
        });
      return { files, write, ask };
    };

    test('is scraped by Prometheus over TLS with a login and a client certificate', async () => {
      const { files, write } = prepare();
      write(['prometheus']);
      const world = await openWorld();
      const daemon = world.startDaemon({ DBPM_WEB_CONFIG_FILE: files.path('web.yml') });
      const url = await daemon.untilServing();
      expect(url).toMatch(/^https:/);
      const scraper = await startPrometheus(
        prometheus,
        { dbpm: `${url}/metrics` },
        {
          jobOptions: {
            scheme: 'https',
            basic_auth: { username: 'prometheus', password: 'open' },
            tls_config: {
              ca_file: files.path('ca.crt'),
              cert_file: files.path('client.crt'),
              key_file: files.path('client.key'),
            },
          },
        },
      );
      onTestFinished(() => scraper.close());
      await vi.waitFor(async () => {
        expect(await scraper.targets()).toMatchObject([{ health: 'up', lastError: '' }]);
        expect(await scraper.query('dbpm_up')).toMatchObject([{ value: 1 }]);
      }, patience);
      expect(daemon.stderr()).not.toContain('which the network can reach');
    });

    test('follows its files while it runs, and stays as it is where they make no sense', async () => {
      const { files, write, ask } = prepare();
      write(['alice']);
      const world = await openWorld();
      const daemon = world.startDaemon({ DBPM_WEB_CONFIG_FILE: files.path('web.yml') });
      const url = await daemon.untilServing();
      const before = await ask(url, 'alice');
      expect([before.status, (await ask(url, 'bob')).status]).toEqual([200, 401]);

      files.issue('server', ['IP:127.0.0.1']);
      const renewed = await ask(url, 'alice');
      expect(renewed.status).toBe(200);
      expect(renewed.serial).not.toBe(before.serial);

      write(['bob']);
      expect([(await ask(url, 'alice')).status, (await ask(url, 'bob')).status]).toEqual([401, 200]);

      writeFileSync(files.path('web.yml'), 'basic_auth_users: {alice: open}');
      expect((await ask(url, 'bob')).status).toBe(200);
      expect((await ask(url, 'bob')).status).toBe(200);
      const problem = /stays as it was.*basic_auth_users\.alice: found something else \(not shown\)/g;
      await vi.waitFor(() => expect(daemon.stderr().match(problem)).toHaveLength(1), patience);

      write(['carol'], { client_auth_type: 'VerifyClientCertIfGiven' });
      expect((await ask(url, 'bob')).status).toBe(200);
      await daemon.untilWritten('stderr', /which needs a restart/);

      write(['carol']);
      expect((await ask(url, 'carol')).status).toBe(200);
    });
  },
);

test('a daemon listens on each of its addresses, and says so', async () => {
  const world = await openWorld();
  const daemon = world.startDaemon({ DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:0,127.0.0.2:0' });
  const second = await daemon.untilWritten('stderr', /msg="serving here, too" url=(\S+)/);
  const first = await daemon.untilServing();
  expect(second).toMatch(/^http:\/\/127\.0\.0\.2:/);
  for (const url of [first, second]) expect((await fetch(`${url}/-/healthy`)).status).toBe(200);
});

test('a daemon on loopback shows personal data only where a setting says so, and answers to no name of a stranger', async () => {
  const world = await openWorld();
  const ask = async (url: string) =>
    JSON.parse(await (await fetch(`${url}/api/v1/keys`)).text()).shows_personal_data;
  const closed = world.startDaemon();
  const url = await closed.untilServing();
  expect(await ask(url)).toBe(false);
  const rebound = requestPlain(`${url}/metrics`, { headers: { host: 'evil.example' } }).end();
  const [answer] = await once(rebound, 'response');
  expect(answer.statusCode).toBe(403);
  await closed.stop('SIGTERM');
  const open = world.startDaemon({ DBPM_WEB_PERSONAL_DATA_WITHOUT_LOGIN: 'true' });
  expect(await ask(await open.untilServing())).toBe(true);
});

test('a daemon that any host can reach warns of it, once', async () => {
  const check = async (address: string) => {
    const program = startProgram(['check-config', '--web.listen-address', address], {
      DBPM_BASE_URL: 'http://127.0.0.1:1/api/v2/',
      DBPM_API_KEY: 'key',
    });
    expect(await program.exited).toMatchObject({ code: 0 });
    return program.stderr();
  };
  const open = await check(':0');
  expect(open).toContain(
    'web.listen_address: found :0, which the network can reach, without TLS and without a login, write tls_server_config',
  );
  expect(open.match(/which the network can reach/g)).toHaveLength(1);
  expect(await check('127.0.0.1:0')).not.toContain('which the network can reach');
});

test('a daemon takes over the sockets that systemd opened, and none that are meant for another process', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { fd } = Object(listener)._handle;
  const address = listener.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const world = await openWorld();
  const start = (pid: string) => {
    const command = `LISTEN_FDS=1 LISTEN_PID=${pid} exec "$0" "$@"`;
    const entry = fileURLToPath(new URL('../../bin/dbpm-exporter.cjs', import.meta.url));
    const args = ['-c', command, process.execPath, entry, 'serve', '--web.systemd-socket'];
    const env = {
      PATH: process.env.PATH ?? '',
      DBPM_BASE_URL: world.simulator.base_url,
      DBPM_API_KEY: worldKey,
      DBPM_HISTORY_FILE: join(world.folder, `${pid.length}.sqlite`),
    };
    const child = spawn('/bin/sh', args, { env, stdio: ['ignore', 'ignore', 'pipe', fd] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let log = '';
    child.stderr?.on('data', chunk => {
      log += chunk;
    });
    return { child, log: () => log };
  };
  const served = start('$$');
  const other = start('1');
  const otherEnd = once(other.child, 'close');
  // Or this process would take some of the connections.
  listener.close();
  await vi.waitFor(
    () => expect(served.log()).toContain(`msg=serving url=http://127.0.0.1:${port}`),
    patience,
  );
  expect((await fetch(`http://127.0.0.1:${port}/-/healthy`)).status).toBe(200);
  served.child.kill('SIGTERM');
  await once(served.child, 'close');
  const [code] = await otherEnd;
  expect(code).toBe(1);
  expect(other.log()).toContain('systemd handed over no socket: start it by a socket unit');
});
