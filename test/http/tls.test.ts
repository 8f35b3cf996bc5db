import { request } from 'node:https';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readSans } from '../../src/http/tls.ts';
import { openAccess, type TlsAccess } from '../../src/resources/web-access.ts';
import { type CertificateFolder, makeCertificates } from '../support/certificate.ts';
import { describeWithPeers } from '../support/peer.ts';
import { heldPages, largePage, openServer } from './open-server.ts';
import { connectRaw } from './raw-client.ts';

interface Handshake {
  readonly serial: string;
  readonly protocol: string | null;
  readonly suite: string;
}

describeWithPeers(['openssl'], 'a server with TLS', ({ openssl }) => {
  let files: CertificateFolder;
  beforeAll(() => {
    let remove = () => {};
    files = makeCertificates(openssl, onEnd => {
      remove = onEnd;
    });
    files.issue('server', ['DNS:localhost', 'IP:127.0.0.1']);
    files.issue('client', ['DNS:prometheus.example.org', 'IP:10.0.0.1', 'IP:fd00::1', 'URI:spiffe://a/b']);
    files.issue('stranger', ['DNS:prometheus.example.org'], { selfSigned: true });
    return remove;
  });

  const makeTls = (more: Partial<TlsAccess> = {}): TlsAccess => ({
    cert: files.read('server.crt'),
    key: files.read('server.key'),
    clientAuth: 'NoClientCert',
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    cipherSuites: [],
    preferServerCipherSuites: true,
    curves: [],
    ...more,
  });

  const open = (tls: () => TlsAccess) => openServer({ access: () => ({ ...openAccess, tls: tls() }) });

  /** The status of an answer, or the code of the error in its place. */
  const ask = (url: string, options: ConnectionOptions = {}): Promise<number | string | undefined> =>
    new Promise(resolve => {
      const outgoing = request(`${url}/metrics`, { ca: files.read('ca.crt'), agent: false, ...options });
      outgoing.on('response', response => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      outgoing.end();
    });

  /** What a handshake came to. */
  const shake = (url: string, options: ConnectionOptions = {}): Promise<Handshake> =>
    new Promise((resolve, reject) => {
      const { port, hostname: host } = new URL(url);
      const socket: TLSSocket = connect(
        { ca: files.read('ca.crt'), port: Number(port), host, ...options },
        () => {
          resolve({
            serial: socket.getPeerCertificate().serialNumber,
            protocol: socket.getProtocol(),
            suite: socket.getCipher().name,
          });
          socket.destroy();
        },
      );
      socket.on('error', reject);
    });

  it('encrypts for slow readers no more than they take', async () => {
    const { page, renderMetrics, untilSent, mostWaiting } = largePage();
    const { server } = await openServer({
      access: () => ({ ...openAccess, tls: makeTls() }),
      renderMetrics,
    });
    const readers = await Promise.all(Array.from({ length: 4 }, () => connectRaw(server.url)));
    for (const { socket, write } of readers) {
      socket.pause();
      write('GET /metrics HTTP/1.1\r\nHost: raw\r\n\r\n');
    }
    await untilSent(readers.length);
    readers[0]?.socket.resume();
    await readers[0]?.untilTaken(page.length);
    expect(mostWaiting()).toBeLessThan(500_000);
  });

  it('tells connections that are answered from idle ones, and closes the idle for new ones', async () => {
    const { renderMetrics, release } = heldPages();
    const turnedAway: string[] = [];
    const { server, errors } = await openServer({
      ...{ mostConnections: 2, renderMetrics, onTurnedAway: reason => turnedAway.push(reason) },
      access: () => ({ ...openAccess, tls: makeTls() }),
    });
    const ask = 'GET /metrics HTTP/1.1\r\nHost: raw\r\n\r\n';
    const reader = await connectRaw(server.url);
    reader.write(ask);
    await vi.waitFor(() => expect(renderMetrics).toHaveBeenCalled(), 10_000);
    const idle = await connectRaw(server.url);
    const next = await connectRaw(server.url);
    await idle.untilClosed();
    next.write(ask);
    await vi.waitFor(() => expect(renderMetrics).toHaveBeenCalledTimes(2), 10_000);
    await expect(connectRaw(server.url)).rejects.toThrow();
    release();
    await reader.untilAnswered(1);
    expect(turnedAway).toEqual(['connection_replaced', 'connection_refused']);
    expect(errors).toEqual([]);
  });

  it('answers over TLS alone', async () => {
    const { server } = await open(makeTls);
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await ask(server.url)).toBe(200);
    await expect(fetch(server.url.replace('https', 'http'))).rejects.toThrow();
  });

  it('shows a new certificate to new connections, whether they name the server or not', async () => {
    let tls = makeTls();
    const { server } = await open(() => tls);
    const before = (await shake(server.url)).serial;
    files.issue('server', ['DNS:localhost', 'IP:127.0.0.1']);
    tls = makeTls();
    const after = (await shake(server.url)).serial;
    const named = (await shake(server.url, { servername: 'localhost' })).serial;
    expect(after).not.toBe(before);
    expect(named).toBe(after);
  });

  it.each(['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const)(
    'speaks %s if that is all it may',
    async version => {
      const { server } = await open(() => makeTls({ minVersion: version, maxVersion: version }));
      const client = { ciphers: 'DEFAULT@SECLEVEL=0', minVersion: 'TLSv1', maxVersion: 'TLSv1.3' } as const;
      expect((await shake(server.url, client)).protocol).toBe(version);
      const other = version === 'TLSv1.3' ? 'TLSv1.2' : 'TLSv1.3';
      await expect(shake(server.url, { minVersion: other, maxVersion: other })).rejects.toThrow();
    },
  );

  it('uses the cipher suites and curves it is told to', async () => {
    const suites = ['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-AES128-GCM-SHA256'];
    const { server } = await open(() => makeTls({ cipherSuites: suites, curves: ['P-384', 'P-256'] }));
    const old = await shake(server.url, { maxVersion: 'TLSv1.2' });
    expect(old.suite).toBe(suites[0]);
    expect((await shake(server.url)).protocol).toBe('TLSv1.3');
    await expect(
      shake(server.url, { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-CHACHA20-POLY1305' }),
    ).rejects.toThrow();
    await expect(shake(server.url, { ecdhCurve: 'X25519' })).rejects.toThrow();
    await expect(shake(server.url, { ecdhCurve: 'P-256' })).resolves.toBeDefined();
  });

  describe.each([
    // [policy, without a certificate, with one of the authority, with one of a stranger]
    ['NoClientCert', true, true, true],
    ['RequestClientCert', true, true, true],
    ['RequireAnyClientCert', false, true, true],
    ['VerifyClientCertIfGiven', true, true, false],
    ['RequireAndVerifyClientCert', false, true, false],
  ] as const)('with %s', (clientAuth, without, known, unknown) => {
    it.each(['TLSv1.2', 'TLSv1.3'] as const)('lets in who it should, by %s', async version => {
      const { server } = await open(() => makeTls({ clientAuth, clientCa: files.read('ca.crt') }));
      const enter = async (name?: string) => {
        const own = name && { cert: files.read(`${name}.crt`), key: files.read(`${name}.key`) };
        return (await ask(server.url, { ...own, minVersion: version, maxVersion: version })) === 200;
      };
      expect([await enter(), await enter('client'), await enter('stranger')]).toEqual([
        without,
        known,
        unknown,
      ]);
    });
  });

  it.each([
    [['prometheus.example.org'], true],
    [['other', '10.0.0.1'], true],
    [['fd00:0:0::0001'], true],
    [['spiffe://a/b'], true],
    [['prometheus.example'], false],
    [['PROMETHEUS.example.org'], false],
  ])('lets clients in by the names %j: %s', async (clientAllowedSans, isIn) => {
    const policy = { clientAuth: 'RequireAndVerifyClientCert', clientCa: files.read('ca.crt') } as const;
    const { server } = await open(() => makeTls({ ...policy, clientAllowedSans }));
    const own = { cert: files.read('client.crt'), key: files.read('client.key') };
    expect((await ask(server.url, own)) === 200).toBe(isIn);
  });

  it('keeps the rules for names and authorities as they are now', async () => {
    let clientCa = files.read('ca.crt');
    const { server } = await open(() => makeTls({ clientAuth: 'RequireAndVerifyClientCert', clientCa }));
    const own = { cert: files.read('client.crt'), key: files.read('client.key') };
    expect(await ask(server.url, own)).toBe(200);
    clientCa = files.read('stranger.crt');
    expect(await ask(server.url, own)).not.toBe(200);
  });
});

it('reads names of certificates that look like several', () => {
  expect(readSans('DNS:a.example, IP Address:127.0.0.1, URI:"x, DNS:evil", email:me@example.org')).toEqual([
    'a.example',
    '127.0.0.1',
    'x, DNS:evil',
    'me@example.org',
  ]);
});
