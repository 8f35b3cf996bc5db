import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CertificateFolder, makeCertificates } from '../../support/certificate.ts';
import { type ProgramProcess, startProgram } from '../../support/daemon-process.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startWorld, worldKey } from '../simulated-world.ts';
import type { ApiFault, FaultStage } from './api-fault.ts';
import { shortenAlerts } from './fault-rule.ts';
import { startGateway } from './gateway.ts';

/** A daemon with an account for each fault, and one that nothing is done to. */
export interface FaultWorld {
  readonly daemon: ProgramProcess;
  readonly url: string;
  readonly folder: string;
  readonly configFile: string;
  readonly healthy: FaultStage;
  /** In the order of the faults. */
  readonly stages: readonly FaultStage[];
  close(): Promise<void>;
}

/** How old what is read may be: the pace of the polls and the patience of a busy machine. */
const longestAge = '15s';

/** Names that end so lead to this host, unless the file names them. */
const resolver = `
import dns from 'node:dns';
import { readFileSync } from 'node:fs';
const lookup = dns.lookup;
dns.lookup = (name, options, callback) => {
  if (!name.endsWith('.test')) return lookup(name, options, callback);
  if (!readFileSync(process.env.FORGOTTEN_NAMES, 'utf8').includes(name)) return lookup('127.0.0.1', options, callback);
  process.nextTick(callback, Object.assign(new Error('getaddrinfo ENOTFOUND ' + name), { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: name }));
};`;

export async function openFaultWorld(faults: readonly ApiFault[], openssl: string): Promise<FaultWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-fault-'));
  const ends: (() => Promise<void> | void)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const certificates = makeCertificates(openssl, remove => void ends.push(remove));
  issueAll(certificates);
  const names = ['healthy', ...faults.map((_, index) => `fault-${index + 1}`)];
  const opened = await Promise.all(
    names.map((account, index) =>
      openStage(account, { folder, certificates, by: faults[index - 1]?.by, seed: index + 1 }),
    ),
  );
  for (const stage of opened)
    ends.push(
      () => stage.world.close(),
      () => stage.gateway.close(),
    );
  const [healthy, ...stages] = opened;
  if (healthy === undefined) throw new Error('there is always a healthy account');
  const configFile = join(folder, 'config.yml');
  const port = await findFreePort();
  writeFileSync(configFile, renderConfig(opened, folder, port));
  const daemon = startProgram(['serve', '--config.file', configFile], {
    NODE_EXTRA_CA_CERTS: certificates.path('ca.crt'),
    FORGOTTEN_NAMES: join(folder, 'forgotten'),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(resolver)}`,
    TMPDIR: folder,
  });
  ends.push(async () => void (await daemon.stop('SIGKILL')));
  return {
    daemon,
    url: await daemon.untilWritten('stderr', /msg=serving url=(\S+)/),
    folder,
    configFile,
    healthy,
    stages,
    async close() {
      for (const end of ends.toReversed()) await end();
    },
  };
}

interface StageOptions {
  readonly folder: string;
  /** Needed where TLS is spoken. */
  readonly certificates?: CertificateFolder;
  readonly by?: ApiFault['by'];
  readonly seed: number;
}

/** A service of an account, and what stands between. */
export async function openStage(
  account: string,
  { folder, certificates, by, seed }: StageOptions,
): Promise<FaultStage> {
  const world = await startWorld({ projects: 2, historyDays: 1, seed });
  const identity = (name: string) => ({
    key: certificates?.read(`${name}.key`),
    cert: certificates?.read(`${name}.crt`),
  });
  const host = `${account}.service.test`;
  const gateway = await startGateway({
    service: world.simulator.base_url,
    // A key is sent readable to loopback alone.
    ...(by !== undefined && { host: by === 'name' ? host : 'localhost', identity: identity('valid') }),
  });
  const forgetName = (forgotten: boolean) => writeFileSync(join(folder, 'forgotten'), forgotten ? host : '');
  forgetName(false);
  const writeKey = (key: string) => writeFileSync(join(folder, `${account}.key`), key, { mode: 0o600 });
  writeKey(worldKey);
  return { account, world, gateway, identity, forgetName, writeKey };
}

function issueAll(certificates: CertificateFolder): void {
  certificates.issue('valid', ['DNS:localhost', 'DNS:*.service.test']);
  certificates.issue('expired', ['DNS:localhost'], { expired: true });
  certificates.issue('self-signed', ['DNS:localhost'], { selfSigned: true });
  certificates.issue('other', ['DNS:elsewhere.test']);
}

/** JSON is YAML. */
function renderConfig(stages: readonly FaultStage[], folder: string, port: number): string {
  return JSON.stringify({
    accounts: stages.map(({ account, gateway: { base_url } }) => ({
      name: account,
      base_url,
      api_key_file: `${account}.key`,
      requests_per_minute: 60_000,
    })),
    collect: { schedule: '*/2 * * * * *', idle_refresh: '2s', api_keys_refresh: '2s' },
    history: { file: join(folder, 'history.sqlite') },
    web: { listen_address: `127.0.0.1:${port}` },
    rules: { alerts: shortenAlerts(thresholds) },
  });
}

const thresholds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DbpmHistoryWriteFailed: { window: '10s' },
  DbpmRateLimited: { window: '10s' },
  DbpmCollectorFailing: { window: '15s' },
  DbpmProjectUnreadable: { age: longestAge },
  DbpmValuesImplausible: { window: '10s' },
  DbpmFieldsLost: { window: '10s' },
  DbpmDataStale: { list_age: longestAge, project_age: longestAge },
  DbpmProjectGone: { window: '20s', list_age: longestAge },
};
