import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashSync } from 'bcrypt';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startSimulator } from '../../../src/simulator/server.ts';
import { makeCertificates } from '../../support/certificate.ts';
import { startProgram } from '../../support/daemon-process.ts';
import { patience } from '../../support/patience.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { describeChart, findManifest, type Manifest, type Rendering } from './chart-renderer.ts';

const folder = '/etc/dbpm-exporter/tls';

describeChart('the daemon of a rendered chart', render => {
  describeWithPeers(['openssl'], 'with TLS, logins and client certificates', ({ openssl }) => {
    it('is probed and scraped, takes a new key from its Secret, and stops in time', async () => {
      const simulator = await startSimulator({ projects: 2, historyDays: 1, apiKey: 'first-key' });
      onTestFinished(() => simulator.close());
      const certificates = makeCertificates(openssl);
      certificates.issue('tls', ['IP:127.0.0.1', 'DNS:localhost']);
      const read = (name: string) => certificates.read(name);
      const rendering = render({
        config: {
          accounts: [
            { name: 'main', base_url: simulator.base_url, api_key_file: '/etc/dbpm-exporter/keys/main' },
          ],
          collect: { schedule: '* * * * * *' },
        },
        apiKeys: { create: true, values: { main: 'first-key' } },
        webConfig: {
          content: {
            tls_server_config: {
              cert_file: `${folder}/tls.crt`,
              key_file: `${folder}/tls.key`,
              client_ca_file: `${folder}/ca.crt`,
              client_auth_type: 'RequireAndVerifyClientCert',
            },
            basic_auth_users: { prometheus: hashSync('open', 4) },
          },
          tlsSecret: 'cluster-tls',
        },
      });
      const secret = { 'tls.crt': read('tls.crt'), 'tls.key': read('tls.key'), 'ca.crt': read('ca.crt') };
      const pod = mountPod(rendering, { 'cluster-tls': secret });
      const daemon = startProgram(pod.args);
      const health = await daemon.untilWritten('stderr', /msg="answering probes here" url=(\S+)/);
      const url = await daemon.untilWritten('stderr', /msg=serving url=(https:\S+)/);
      const { livenessProbe, readinessProbe, startupProbe } = findManifest(rendering, 'StatefulSet').spec
        .template.spec.containers[0];
      const probe = async ({ httpGet }: { httpGet: { path: string } }) =>
        (await fetch(health + httpGet.path)).status;
      expect([await probe(startupProbe), await probe(livenessProbe)]).toEqual([200, 200]);
      await vi.waitFor(async () => expect(await probe(readinessProbe)).toBe(200), patience);

      const client = {
        ca: secret['ca.crt'],
        cert: secret['tls.crt'],
        key: secret['tls.key'],
        auth: 'prometheus:open',
      };
      const readUp = async () =>
        /^dbpm_up\{account="main"\} (\d)$/m.exec(await fetchPage(`${url}/metrics`, client))?.[1];
      await vi.waitFor(async () => expect(await readUp()).toBe('1'), patience);

      const [first] = simulator.account.keys.list();
      const { secret: second } = simulator.account.keys.create('second');
      simulator.account.keys.revoke(first?.id ?? 0);
      await vi.waitFor(async () => expect(await readUp()).toBe('0'), patience);
      pod.update('keys', { main: second });
      await vi.waitFor(async () => expect(await readUp()).toBe('1'), patience);

      // A kubelet kills what has not ended by then.
      const { terminationGracePeriodSeconds } = findManifest(rendering, 'StatefulSet').spec.template.spec;
      const kubelet = setTimeout(() => daemon.signal('SIGKILL'), terminationGracePeriodSeconds * 1000);
      onTestFinished(() => clearTimeout(kubelet));
      expect(await daemon.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    }, 180_000);
  });
});

function fetchPage(url: string, options: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...options, agent: false });
    outgoing.on('error', reject).on('response', response => {
      let text = '';
      response.setEncoding('utf8').on('data', piece => {
        text += piece;
      });
      response.on('end', () => resolve(text));
    });
    outgoing.end();
  });
}

type Files = Readonly<Record<string, string>>;

/** The daemon's container of a rendered chart, with its volumes in a folder of this machine. */
interface MountedPod {
  /** What the container starts with; paths and addresses are of this machine. */
  readonly args: readonly string[];
  /** Puts other files into a volume, as a kubelet does when its Secret or ConfigMap has changed. */
  update(volume: string, files: Files): void;
}

/**
 * Lays out the volumes as a kubelet does: each file is a link through `..data`, which is exchanged when they change.
 *
 * @param given files of the Secrets that are not of the chart.
 */
function mountPod(rendering: Rendering, given: Readonly<Record<string, Files>>): MountedPod {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-pod-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { containers, volumes } = findManifest(rendering, 'StatefulSet').spec.template.spec;
  const [container] = containers;
  const pathOf = (mountPath: string) => join(folder, mountPath);
  /** Files name others by where they are in the container. */
  const mountPaths = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
  const place = (text: string) =>
    text.replaceAll(new RegExp(`(?<![\\w/])(?:${mountPaths.join('|')})(?=/)`, 'g'), pathOf);
  const update = (volume: string, files: Files) => {
    const { mountPath } = container.volumeMounts.find(({ name }: { name: string }) => name === volume);
    const placed = Object.entries(files).map(([name, text]) => [name, place(text)]);
    writeVolume(pathOf(mountPath), Object.fromEntries(placed));
  };
  for (const { name, mountPath } of container.volumeMounts) {
    mkdirSync(pathOf(mountPath), { recursive: true });
    const source = volumes.find((volume: { name: string }) => volume.name === name) ?? {};
    const { configMap, secret } = source;
    const object = configMap?.name ?? secret?.secretName;
    if (object !== undefined) update(name, given[object] ?? readFiles(rendering, object));
  }
  const args = container.args.map((arg: string) => place(arg).replace(/=:\d+$/, '=127.0.0.1:0'));
  return { args, update };
}

function readFiles({ manifests }: Rendering, name: string): Files {
  const isSource = ({ kind }: Manifest) => kind === 'ConfigMap' || kind === 'Secret';
  const object = manifests.find(each => isSource(each) && each.metadata.name === name);
  if (object === undefined) throw new Error(`no ConfigMap or Secret ${name}`);
  const decode = (text: string) => (object.kind === 'Secret' ? Buffer.from(text, 'base64').toString() : text);
  return Object.fromEntries(Object.entries<string>(object.data).map(([file, text]) => [file, decode(text)]));
}

let versions = 0;

function writeVolume(folder: string, files: Files): void {
  versions += 1;
  const version = `..version_${versions}`;
  mkdirSync(join(folder, version));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, version, name), text, { mode: 0o440 });
    rmSync(join(folder, name), { force: true });
    symlinkSync(join('..data', name), join(folder, name));
  }
  symlinkSync(version, join(folder, '..data_tmp'));
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
}
