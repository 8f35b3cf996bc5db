import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandLine } from '../../../../src/cli/command-line.ts';
import { exportCommand } from '../../../../src/cli/export.ts';
import { makeFakeIo } from '../../../cli/fake-io.ts';
import { type CertificateFolder, makeCertificates } from '../../../support/certificate.ts';
import { HistoryFolder } from '../../../support/history-folder.ts';
import { describeWithPeers } from '../../../support/peer.ts';
import { minute, projectsReading, startAt, wireProject } from '../../../support/reading-builder.ts';
import { startTunnelProxy } from '../../../support/tunnel-proxy.ts';

describeWithPeers(['openssl'], 'a receiver behind TLS', ({ openssl }) => {
  const ends: (() => unknown)[] = [];
  let certificates: CertificateFolder;
  let folder: HistoryFolder;
  let url: string;
  let taken = 0;

  beforeAll(async () => {
    certificates = makeCertificates(openssl, end => ends.push(end));
    certificates.issue('receiver', ['DNS:localhost']);
    const server = createServer(
      { cert: certificates.read('receiver.crt'), key: certificates.read('receiver.key') },
      (request, response) => {
        taken += 1;
        request.resume().on('end', () => response.writeHead(204).end());
      },
    );
    server.listen(0, 'localhost');
    await once(server, 'listening');
    ends.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    url = `https://localhost:${(server.address() as AddressInfo).port}/api/v1/write`;
    folder = new HistoryFolder();
    const history = folder.open();
    history.commitOne(projectsReading(startAt, [wireProject('p', { created_at: '2026-11-21T10:00:00Z' })]));
    folder.close(history);
    ends.push(() => folder[Symbol.dispose]());
  });
  afterAll(() => ends.map(end => end()));

  async function send(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const { io, printed } = makeFakeIo({ env });
    const command = exportCommand(io, () => startAt + 2 * minute);
    const target = ['--history.file', folder.file, '--metric', 'dbpm_project_info', '--remote-write', url];
    const exitCode = await runCommandLine(io, ['export', ...target, ...argv], [command]);
    return { exitCode, stderr: printed.stderr };
  }

  test('is trusted by the authorities that are named', async () => {
    expect(await send(['--ca-file', certificates.path('ca.crt')])).toEqual({
      exitCode: 0,
      stderr: '',
    });
    expect(taken).toBe(1);
  });

  test('is not sent to when nobody vouches for it', async () => {
    const { exitCode, stderr } = await send([]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^dbpm-exporter: the receiver answers nothing that can be trusted: --ca-file names its authority, if that is yours \(.+\); /,
    );
    expect(taken).toBe(1);
  });

  test('is reached through the proxy of the environment, but not where that is excepted', async () => {
    const proxy = await startTunnelProxy();
    ends.push(() => proxy.close());
    const argv = ['--ca-file', certificates.path('ca.crt')];
    expect((await send(argv, { https_proxy: proxy.url })).exitCode).toBe(0);
    expect(proxy.asked.map(({ target }) => target)).toEqual([new URL(url).host]);
    expect((await send(argv, { https_proxy: proxy.url, no_proxy: 'localhost' })).exitCode).toBe(0);
    expect(proxy.asked).toHaveLength(1);
  });
});
