import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, test } from 'vitest';

/** Programs the exporter is tried against, by the Debian package that has each; Debian has none with Litestream. */
const packageOf = {
  prometheus: 'prometheus',
  promtool: 'prometheus',
  'prometheus-alertmanager': 'prometheus-alertmanager',
  amtool: 'prometheus-alertmanager',
  jsonnet: 'jsonnet',
  chromium: 'chromium',
  curl: 'curl',
  jq: 'jq',
  gzip: 'gzip',
  gunzip: 'gzip',
  openssl: 'openssl',
  python3: 'python3',
  'victoria-metrics': 'victoria-metrics',
  vmagent: 'victoria-metrics',
  sqlite3: 'sqlite3',
  'systemd-analyze': 'systemd',
  'systemd-notify': 'systemd',
  go: 'golang-go',
  litestream: undefined,
} as const;

type Peer = keyof typeof packageOf;

/**
 * Looks for a program on PATH and gives its path; undefined when there is none.
 *
 * @throws Error where `CI` is `true`: a missing peer is a failure there.
 */
export function findPeer(peer: Peer, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const found = (env.PATH ?? '')
    .split(delimiter)
    .map(folder => join(folder, peer))
    .find(isExecutable);
  if (found === undefined && env.CI === 'true') throw new Error(describeMissing(peer));
  return found;
}

/**
 * A suite that needs other programs and is given their paths. Where one is missing the suite is one skipped test, and
 * the run ends with one line `skipped: … not found (Debian package …)`.
 */
export function describeWithPeers<const Peers extends readonly Peer[]>(
  peers: Peers,
  name: string,
  suite: (path: Readonly<Record<Peers[number], string>>) => void,
): void {
  const paths: Partial<Record<Peer, string>> = {};
  for (const peer of peers) {
    const found = findPeer(peer);
    if (found === undefined) {
      test(name, context => context.skip(describeMissing(peer)));
      return;
    }
    paths[peer] = found;
  }
  describe(name, () => suite(paths as Record<Peers[number], string>));
}

function describeMissing(peer: Peer): string {
  const debianPackage = packageOf[peer];
  return debianPackage === undefined
    ? `${peer} not found`
    : `${peer} not found (Debian package ${debianPackage})`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
