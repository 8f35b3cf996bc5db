import { createServer } from 'node:https';
import { rootCertificates } from 'node:tls';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { ApiClient } from '../../src/api/client.ts';
import type { ClientOptions } from '../../src/api/client-options.ts';
import { rejection, testKey } from '../support/api-client.ts';
import { type CertificateFolder, makeCertificates } from '../support/certificate.ts';
import { listenOnLoopback } from '../support/loopback-server.ts';
import { describeWithPeers } from '../support/peer.ts';
import { startTunnelProxy } from '../support/tunnel-proxy.ts';

describeWithPeers(['openssl'], 'a client of a service with TLS', ({ openssl }) => {
  let files: CertificateFolder;
  beforeEach(() => {
    files = makeCertificates(openssl);
  });

  /** A service on loopback with the certificate of this name, and what it was asked with. */
  async function startService(name: string) {
    const keys: (string | undefined)[] = [];
    const tls = { cert: files.read(`${name}.crt`), key: files.read(`${name}.key`) };
    const server = createServer(tls, (request, response) => {
      keys.push(request.headers.authorization);
      response.setHeader('content-type', 'application/json').end('{"projects":[]}');
    });
    const { port, close } = await listenOnLoopback(server);
    onTestFinished(close);
    return { port, keys };
  }

  function openClient(base_url: string, options: Partial<ClientOptions> = {}) {
    const client = new ApiClient({
      base_url,
      readApiKey: () => testKey,
      requestsPerMinute: 600,
      userAgent: 'test',
      maxAttempts: 1,
      ...options,
    });
    onTestFinished(() => client.close());
    return () => client.get({ route: '/projects', priority: 'list', signal: new AbortController().signal });
  }

  function ask(base_url: string, options?: Partial<ClientOptions>) {
    return openClient(base_url, options)();
  }

  const authority = () => ({ readCa: () => files.read('ca.crt') });

  it('believes an authority it is told of, and by none other', async () => {
    files.issue('good', ['DNS:localhost']);
    const { port, keys } = await startService('good');
    const url = `https://localhost:${port}/api/v2/`;
    expect((await ask(url, authority())).body).toEqual({ projects: [] });
    expect(keys).toEqual([`Bearer ${testKey}`]);
    expect(await rejection(ask(url))).toMatchObject({
      reason: 'network',
      message: expect.stringContaining('comes from an authority that is not known here'),
    });
    expect(keys).toHaveLength(1);
  });

  it('believes another authority from the next request on, and goes on without a failure', async () => {
    files.issue('good', ['DNS:localhost']);
    const { port, keys } = await startService('good');
    const [authorityThere = '', authorityElse = ''] = [files.read('ca.crt'), rootCertificates[0]];
    let trusted = authorityElse;
    const get = openClient(`https://localhost:${port}/api/v2/`, { readCa: () => trusted });
    expect(await rejection(get())).toMatchObject({ reason: 'network' });
    trusted = authorityThere;
    expect((await get()).body).toEqual({ projects: [] });
    trusted = `${authorityElse}\n${authorityThere}`;
    expect((await get()).body).toEqual({ projects: [] });
    expect(keys).toHaveLength(2);
  });

  it.each([
    ['expired', ['DNS:localhost'], { expired: true }, 'has expired'],
    ['another name', ['DNS:other.example.com'], {}, 'is for another name'],
    ['self-signed', ['DNS:localhost'], { selfSigned: true }, 'signed its certificate itself'],
  ])('says what is wrong with a certificate: %s', async (name, sans, options, advice) => {
    files.issue(name, sans, options);
    const { port, keys } = await startService(name);
    const error = await rejection(ask(`https://localhost:${port}/api/v2/`, authority()));
    expect(error).toMatchObject({ reason: 'network', message: expect.stringContaining(advice) });
    expect(keys).toEqual([]);
  });

  it('gives the key to no one else, though Node is told to believe every certificate', async () => {
    files.issue('stranger', ['DNS:localhost'], { selfSigned: true });
    const { port, keys } = await startService('stranger');
    const proxy = await startTunnelProxy();
    onTestFinished(() => proxy.close());
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    onTestFinished(() => {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    });
    // The proxy leads every name to loopback.
    const through = { proxy: { url: proxy.url, except: '' } };
    const error = await rejection(ask(`https://api.example.com:${port}/`, through));
    expect(error).toMatchObject({ reason: 'network' });
    expect(keys).toEqual([]);
  });

  it('goes through a proxy, which sees the address and never the key', async () => {
    files.issue('good', ['DNS:api.example.com']);
    const { port, keys } = await startService('good');
    const proxy = await startTunnelProxy({ login: 'me:canary word' });
    onTestFinished(() => proxy.close());
    const url = `http://me:canary%20word@127.0.0.1:${proxy.port}`;
    const options = { ...authority(), proxy: { url, except: 'internal.example.com' } };
    expect((await ask(`https://api.example.com:${port}/`, options)).body).toEqual({ projects: [] });
    expect(proxy.asked).toEqual([{ target: `api.example.com:${port}`, login: 'me:canary word' }]);
    expect(keys).toEqual([`Bearer ${testKey}`]);
  });

  it('goes past the proxy to the hosts it is told to', async () => {
    files.issue('good', ['DNS:localhost']);
    const { port } = await startService('good');
    const proxy = await startTunnelProxy();
    onTestFinished(() => proxy.close());
    const options = { ...authority(), proxy: { url: proxy.url, except: 'localhost' } };
    await ask(`https://localhost:${port}/`, options);
    expect(proxy.asked).toEqual([]);
  });

  it('says what a proxy wants that opens no tunnel, without its password', async () => {
    const proxy = await startTunnelProxy({ login: 'me:other' });
    onTestFinished(() => proxy.close());
    const url = `http://me:canary@127.0.0.1:${proxy.port}`;
    const error = await rejection(ask('https://api.example.com/', { proxy: { url, except: '' } }));
    expect(error).toMatchObject({
      reason: 'network',
      message: expect.stringContaining('the proxy wants a user name and a password'),
    });
    expect(String(error)).not.toContain('canary');
  });
});
