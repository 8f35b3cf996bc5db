import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startSimulator } from '../../src/simulator/server.ts';
import { patience } from '../support/patience.ts';
import { copiedFiles, healthCommand, imageEnvironment, root, textsOf } from './dockerfile.ts';

/** It sets the root and the user of a program, and goes to `/`. */
const chroot = '/usr/sbin/chroot';
const canChangeRoot = process.getuid?.() === 0 && existsSync(chroot);
const [user = ''] = textsOf('USER');
const [workFolder = ''] = textsOf('WORKDIR');
const [uid = 0, gid = 0] = user.split(':').map(Number);

/** A folder with what the image has, its libraries taken from this machine, and nothing else: no shell, no /proc. */
function layOutImage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-image-root-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const at = (path: string) => join(folder, path);
  const add = (from: string, to: string) => {
    mkdirSync(dirname(at(to)), { recursive: true });
    copyFileSync(realpathSync(from), at(to));
  };
  add(process.execPath, '/usr/local/bin/node');
  const linked = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  for (const [library] of linked.matchAll(/\/\S+\.so\S*/g)) add(library, library);
  const app = at(workFolder);
  for (const { from, to } of copiedFiles()) {
    for (const path of from.flatMap(pattern => globSync(pattern, { cwd: root }))) {
      const target = to.endsWith('/') ? join(app, to, basename(path)) : join(app, to);
      cpSync(new URL(path, root), target, { recursive: true });
    }
  }
  addDependencies(app);
  mkdirSync(at('/data'), { mode: 0o700 });
  chownSync(at('/data'), uid, gid);
  return folder;
}

/** The packages that `npm ci --omit=dev --omit=optional` installs, by what the lock file says of each. */
function addDependencies(app: string): void {
  const lock = join(root.pathname, 'package-lock.json');
  const {
    packages,
  }: { packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }> } = JSON.parse(
    readFileSync(lock, 'utf8'),
  );
  for (const [path, { dev, optional, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev || optional || devOptional) continue;
    const from = join(root.pathname, path);
    cpSync(from, join(app, path), {
      recursive: true,
      filter: source => source === from || !source.slice(from.length).startsWith('/node_modules'),
    });
  }
}

describe('the image', () => {
  test('watches, is healthy by its own check, and stops, as an ordinary user on a root without a shell', async ({
    skip,
  }) => {
    if (!canChangeRoot) skip('not root, or no chroot: the image was checked by structure alone');
    const folder = layOutImage();
    const simulator = await startSimulator({ projects: 2, historyDays: 1, apiKey: 'image-key' });
    onTestFinished(() => simulator.close());
    writeFileSync(join(folder, 'key'), 'image-key', { mode: 0o400 });
    chownSync(join(folder, 'key'), uid, gid);
    const env = {
      ...imageEnvironment(),
      DBPM_EXPORTER_REVISION: 'abc',
      DBPM_WEB_HEALTH_ADDRESS: '127.0.0.1:0',
      DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:0',
      DBPM_BASE_URL: simulator.base_url,
      DBPM_API_KEY_FILE: '/key',
    };
    const [entry = '[]'] = textsOf('ENTRYPOINT');
    const words: string[] = JSON.parse(entry);
    const enter = ['--userspec', user, folder];
    const placed = words.map(word => (word.startsWith('bin/') ? join(workFolder, word) : word));
    const daemon = spawn(chroot, [...enter, ...placed], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    onTestFinished(() => void daemon.kill('SIGKILL'));
    let log = '';
    daemon.stderr.setEncoding('utf8').on('data', text => {
      log += text;
    });
    await vi.waitFor(() => expect(log).toContain('msg=serving'), patience);
    // A port that was free before it started may be another's by then.
    const [, probed = ''] = /msg="answering probes here" url=http:\/\/(\S+)/.exec(log) ?? [];
    const asking = { ...env, DBPM_WEB_HEALTH_ADDRESS: probed };
    const checkHealth = () => spawnSync(chroot, [...enter, ...healthCommand()], { env: asking }).status;
    const url = `http://${probed}/-/ready`;
    await vi.waitFor(async () => expect((await fetch(url)).status).toBe(200), patience);
    expect(checkHealth()).toBe(0);
    const ended = once(daemon, 'exit');
    daemon.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(checkHealth()).toBe(1);
    expect(readdirSync(join(folder, 'data'))).toContain('dbpm.sqlite');
    expect(log).not.toMatch(/level=(error|warn)/);

    // No user of that number has a name here, as where a cluster chooses the numbers.
    mkdirSync(join(folder, 'tmp'));
    chmodSync(join(folder, 'tmp'), 0o1777);
    expect(spawnSync(chroot, [...enter, ...placed, '--version'], { env }).status).toBe(0);
    expect(readdirSync(join(folder, 'tmp'))).toEqual([`dbpm-exporter-compiled-${uid}`]);
  });
});
