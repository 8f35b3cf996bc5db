import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { hashSync } from 'bcrypt';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { listPackages, programGlobs, readPackage } from '../../deploy/package/program-file.ts';
import { startSimulator } from '../../src/simulator/server.ts';
import { readExposition, sampleValue } from '../support/exposition-reader.ts';
import { patience } from '../support/patience.ts';
import { checkOut, makePackages, remove, run, sourceDate } from './built-package.ts';

const root = new URL('../..', import.meta.url).pathname;
const { version } = readPackage(root, '');
const versionLine = `dbpm-exporter, version ${version} (node ${process.version})\n`;
const tarball = `dbpm-exporter-${version}.tar.gz`;
const bill = `dbpm-exporter-${version}.cdx.json`;
const checkouts: string[] = [];
let dist: string;

beforeAll(async () => {
  checkouts.push(await checkOut());
  dist = await makePackages(checkouts[0] ?? '');
});
afterAll(() => checkouts.forEach(remove));

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-package-'));
  onTestFinished(() => remove(folder));
  return folder;
}

test('sums of everything that is made are beside it', async () => {
  const { stdout } = await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: dist });
  const made = readdirSync(dist).filter(file => file !== 'SHA256SUMS');
  expect(made).toHaveLength(4);
  for (const file of made) expect(stdout).toContain(`${file}: OK\n`);
});

describe('the tarball', () => {
  test('has the same bytes from another checkout with another umask, and so has the list of what is in it', async () => {
    checkouts.push(await checkOut());
    const second = await makePackages(checkouts[1] ?? '', { only: 'tarball', umask: '077' });
    for (const file of [tarball, bill]) {
      expect(readFileSync(join(second, file)).equals(readFileSync(join(dist, file))), file).toBe(true);
    }
  });

  test('holds nobody but root, no clock and no file outside its folder', async () => {
    const { stdout } = await run('tar', [
      '--utc',
      '--full-time',
      '--numeric-owner',
      '-tvzf',
      join(dist, tarball),
    ]);
    const lines = stdout.trim().split('\n');
    expect(lines.length).toBeGreaterThan(500);
    const shape = /^[-d]rw[-x]r-[-x]r-[-x] 0\/0 +\d+ 2026-01-02 03:04:05 (\S+)$/;
    const odd = lines.filter(line => !shape.exec(line)?.[1]?.startsWith(`dbpm-exporter-${version}/`));
    expect(odd).toEqual([]);
    expect(sourceDate).toBe(Date.UTC(2026, 0, 2, 3, 4, 5) / 1000);
  });

  test('runs where Node is, with nothing installed', async () => {
    const folder = makeFolder();
    await run('tar', ['-xzf', join(dist, tarball), '-C', folder]);
    const entry = join(folder, `dbpm-exporter-${version}`, 'bin', 'dbpm-exporter.cjs');
    const { stdout } = await run(process.execPath, [entry, '--version'], { env: {} });
    expect(stdout).toBe(versionLine);
    const rules = await run(process.execPath, [entry, 'rules'], { env: {} });
    expect(rules.stdout).toContain('DbpmExporterDown');
  });

  test('has what the image has', () => {
    const copied = readFileSync(join(root, 'Dockerfile'), 'utf8')
      .matchAll(/^COPY (?!--from|.*package-lock)(.+) \S+$/gm)
      .flatMap(([, files = '']) => files.split(' '));
    const globs = programGlobs.map(glob => glob.replace('/**', ''));
    expect(globs.toSorted()).toEqual([...copied].toSorted());
  });
});

test('the list of what is in it names every package that runs, Node, and nothing else', () => {
  const { components, metadata, serialNumber } = JSON.parse(readFileSync(join(dist, bill), 'utf8'));
  const named = (components as readonly { name: string; version: string }[]).map(
    each => `${each.name}@${each.version}`,
  );
  const running = listPackages(root).map(folder => {
    const { name, version } = readPackage(root, folder);
    return `${name}@${version}`;
  });
  expect(named.toSorted()).toEqual([...running, `node@${process.versions.node}`].toSorted());
  expect([metadata.component.name, serialNumber]).toEqual(['dbpm-exporter', undefined]);
});

describe('the single file, alone in a folder', () => {
  /** The executable in a folder of its own, with no Node and no PATH; it is unpacked in one cache unless told. */
  function openAlone(home = join(checkouts[0] ?? '', 'home')) {
    const folder = makeFolder();
    const program = join(folder, 'dbpm-exporter');
    linkSync(join(dist, 'dbpm-exporter'), program);
    mkdirSync(home, { recursive: true });
    const start = (args: readonly string[], env: Readonly<Record<string, string>> = { HOME: home }) =>
      run(program, [...args], { cwd: folder, env });
    /** Starts it and waits until it has written something. */
    const startUntil = async (args: readonly string[], pattern: RegExp, env = {}) => {
      const child = spawn(program, [...args], { cwd: folder, env: { HOME: home, ...env } });
      onTestFinished(() => void child.kill('SIGKILL'));
      let written = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          written += text;
        });
      }
      const find = () => pattern.exec(written)?.[1] ?? '';
      await vi.waitFor(() => expect(find(), written).not.toBe(''), patience);
      const stop = async () => {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        return exited;
      };
      return { found: find(), stop };
    };
    return { folder, start, startUntil };
  }

  test('says its version, lists rules and boards, and checks a configuration', async () => {
    const { folder, start } = openAlone();
    expect((await start(['--version'])).stdout).toBe(versionLine);
    expect((await start(['rules'])).stdout).toContain('DbpmExporterDown');
    await start(['dashboards', '--out', 'boards']);
    expect(readdirSync(join(folder, 'boards'))).toContain('dbpm-exporter.json');
    writeFileSync(join(folder, 'key'), 'secret', { mode: 0o600 });
    const accounts = '[{ name: main, base_url: "https://api.example.com/api/v2/", api_key_file: key }]';
    writeFileSync(join(folder, 'dbpm.yaml'), `accounts: ${accounts}\n`);
    const checked = await start(['check-config', '--config.file', 'dbpm.yaml']);
    expect(checked.stdout).toContain('The configuration is valid.');
    writeFileSync(join(folder, 'dbpm.yaml'), 'acounts: []\n');
    await expect(start(['check-config', '--config.file', 'dbpm.yaml'])).rejects.toMatchObject({ code: 2 });
  });

  test('serves the demo', async () => {
    const { startUntil } = openAlone();
    const fleet = ['--projects', '2', '--history-days', '1'];
    const args = ['demo', ...fleet, '--web.listen-address', '127.0.0.1:0'];
    const { found: page, stop } = await startUntil(args, /metrics +(\S+)/);
    await vi.waitFor(async () => {
      const samples = readExposition(await (await fetch(page)).text());
      expect(sampleValue(samples, 'dbpm_up', { account: 'demo' })).toBe(1);
      expect(sampleValue(samples, 'dbpm_exporter_build_info', { version })).toBe(1);
    }, patience);
    expect(await stop()).toEqual([0, null]);
  });

  test('watches a service, asks for logins, and reports on its history and copies it', async () => {
    const { folder, start, startUntil } = openAlone();
    const { base_url, api_key, close } = await startSimulator({ apiKey: 'key', projects: 2, historyDays: 1 });
    onTestFinished(() => close());
    writeFileSync(join(folder, 'web.yml'), `basic_auth_users:\n  prometheus: ${hashSync('word', 4)}\n`);
    const env = { DBPM_BASE_URL: base_url, DBPM_API_KEY: api_key, DBPM_HISTORY_FILE: 'dbpm.sqlite' };
    const args = ['--web.listen-address', '127.0.0.1:0', '--web.config.file', 'web.yml'];
    const { found: url, stop } = await startUntil(args, /msg=serving url=(\S+)/, env);
    const scrape = (password: string) => {
      const authorization = `Basic ${Buffer.from(`prometheus:${password}`).toString('base64')}`;
      return fetch(`${url}/metrics`, { headers: { authorization } });
    };
    expect((await scrape('wrong')).status).toBe(401);
    await vi.waitFor(async () => {
      const samples = readExposition(await (await scrape('word')).text());
      expect(sampleValue(samples, 'dbpm_up', { account: 'main' })).toBe(1);
      expect(samples.filter(({ name }) => name === 'dbpm_endpoint_info').length).toBeGreaterThan(1);
    }, patience);
    expect(await stop()).toEqual([0, null]);
    const report = ['report', 'usage', '--history.file', 'dbpm.sqlite', '--format', 'json'];
    // It has watched for seconds only, and says so by its exit code.
    const partial: { code: number; stdout: string } = await start(report).catch(error => error);
    expect([partial.code, JSON.parse(partial.stdout)]).toEqual([3, expect.any(Object)]);
    await start(['backup', '--history.file', 'dbpm.sqlite', '--to', 'copy.sqlite']);
    expect(statSync(join(folder, 'copy.sqlite')).size).toBeGreaterThan(50_000);
  });

  test('unpacks itself once, for this user alone, and again what is broken', async () => {
    const home = makeFolder();
    const { start } = openAlone(home);
    await Promise.all([start(['--version']), start(['--version']), start(['--version'])]);
    const place = join(home, '.cache', 'dbpm-exporter');
    const [digest = '', ...more] = readdirSync(place);
    expect([/^[0-9a-f]{32}$/.test(digest), more]).toEqual([true, []]);
    for (const path of [place, join(place, digest)]) expect(statSync(path).mode & 0o777).toBe(0o700);
    const unpackedAs = statSync(join(place, digest)).ino;
    await start(['--version']);
    expect(statSync(join(place, digest)).ino).toBe(unpackedAs);
    const file = join(place, digest, 'src', 'main.ts');
    truncateSync(file, 10);
    expect((await start(['--version'])).stdout).toBe(versionLine);
    expect(statSync(file).size).toBeGreaterThan(10);
    expect(readdirSync(place)).toEqual([digest]);
  });

  test.each(['others can write', 'is a link'])('runs nothing from a cache that %s', async what => {
    const { folder, start } = openAlone();
    const cache = join(folder, 'cache');
    const place = join(cache, 'dbpm-exporter');
    const temporary = join(folder, 'tmp');
    for (const path of [cache, temporary, join(folder, 'elsewhere')]) mkdirSync(path);
    if (what === 'is a link') symlinkSync(join(folder, 'elsewhere'), place);
    else {
      mkdirSync(place);
      chmodSync(place, 0o777);
    }
    const { stdout } = await start(['--version'], { XDG_CACHE_HOME: cache, TMPDIR: temporary });
    expect([stdout, readdirSync(place), unpackedIn(temporary)]).toEqual([versionLine, [], []]);
  });

  test('says what it needs where it can write nothing', async () => {
    const { start } = openAlone();
    await expect(start(['--version'], { HOME: '/proc', TMPDIR: '/proc' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^dbpm-exporter: it cannot unpack itself \(.*\): set XDG_CACHE_HOME or TMPDIR to a folder that it may write/,
      ),
    });
  });
});

/** Folders of the program that a run left behind. */
const unpackedIn = (folder: string) =>
  readdirSync(folder).filter(name => /^dbpm-exporter-(?!compiled)/.test(name));

describe('the Debian package', () => {
  const packagePath = () => join(dist, globSync('*.deb', { cwd: dist })[0] ?? '');

  test('says what it is and needs', async () => {
    const { stdout } = await run('dpkg-deb', ['--field', packagePath()]);
    expect(stdout).toMatch(new RegExp(`^Package: dbpm-exporter\nVersion: ${version}\n`));
    expect(stdout).toMatch(/^Architecture: (amd64|arm64)$/m);
    expect(stdout).toMatch(/^Depends: libc6/m);
  });

  test('has the executable, the units, the settings and the licences, all of root', async () => {
    const { stdout } = await run('dpkg-deb', ['--contents', packagePath()]);
    const lines = stdout.trim().split('\n');
    expect(lines.filter(line => !line.includes(' root/root '))).toEqual([]);
    const files = lines.filter(line => !line.startsWith('d')).map(line => line.split(' ').at(-1));
    expect(files.toSorted()).toEqual([
      './etc/dbpm-exporter/config.yaml',
      './usr/bin/dbpm-exporter',
      './usr/lib/systemd/system/dbpm-exporter.service',
      './usr/lib/systemd/system/dbpm-exporter.socket',
      './usr/share/bash-completion/completions/dbpm-exporter',
      './usr/share/doc/dbpm-exporter/CHANGELOG.md.gz',
      './usr/share/doc/dbpm-exporter/README',
      './usr/share/doc/dbpm-exporter/changelog.gz',
      './usr/share/doc/dbpm-exporter/copyright',
      './usr/share/doc/dbpm-exporter/licences.gz',
      './usr/share/doc/dbpm-exporter/sbom.cdx.json',
      './usr/share/doc/dbpm-exporter/socket.conf',
      './usr/share/fish/vendor_completions.d/dbpm-exporter.fish',
      './usr/share/zsh/vendor-completions/_dbpm-exporter',
    ]);
  });

  test.skipIf(process.getuid?.() !== 0)(
    'is installed, keeps settings and key until it is purged, and leaves the history then',
    async () => {
      const system = makeFolder();
      mkdirSync(join(system, 'var/lib/dpkg/updates'), { recursive: true });
      mkdirSync(join(system, 'var/lib/dpkg/info'));
      writeFileSync(join(system, 'var/lib/dpkg/status'), '');
      // Nothing it depends on is in that system, and its scripts find no shell there.
      const apart = [`--root=${system}`, '--force-depends', '--force-script-chrootless', '--force-confold'];
      // It wants programs of administrators, which not every user finds.
      const env = { ...process.env, PATH: `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin` };
      const dpkg = (...args: readonly string[]) => run('dpkg', [...apart, ...args], { env });
      await dpkg('--install', packagePath());
      const own = {
        'etc/dbpm-exporter/config.yaml': 'accounts: []\n',
        'etc/dbpm-exporter/api-key': 'secret',
        'var/lib/private/dbpm-exporter/dbpm.sqlite': 'history',
      };
      const left = () => Object.keys(own).filter(path => existsSync(join(system, path)));
      for (const [path, text] of Object.entries(own)) {
        mkdirSync(dirname(join(system, path)), { recursive: true });
        writeFileSync(join(system, path), text);
      }
      await dpkg('--install', packagePath());
      expect(readFileSync(join(system, 'etc/dbpm-exporter/config.yaml'), 'utf8')).toBe('accounts: []\n');
      await dpkg('--remove', 'dbpm-exporter');
      expect(left()).toEqual(Object.keys(own));
      expect(existsSync(join(system, 'usr/bin/dbpm-exporter'))).toBe(false);
      await dpkg('--purge', 'dbpm-exporter');
      expect(left()).toEqual(['var/lib/private/dbpm-exporter/dbpm.sqlite']);
    },
  );

  test('unpacks into a system that then has a program that runs and settings that are valid', async () => {
    const system = makeFolder();
    const home = join(checkouts[0] ?? '', 'home');
    await run('dpkg-deb', ['--raw-extract', packagePath(), system]);
    const { stdout } = await run(join(system, 'usr/bin/dbpm-exporter'), ['--version'], {
      env: { HOME: system },
    });
    expect(stdout).toBe(versionLine);
    const control = (file: string) => readFileSync(join(system, 'DEBIAN', file), 'utf8');
    expect(control('conffiles')).toBe('/etc/dbpm-exporter/config.yaml\n');
    for (const script of ['postinst', 'prerm', 'postrm'])
      await run('sh', ['-n', join(system, 'DEBIAN', script)]);
    const unit = readFileSync(join(system, 'usr/lib/systemd/system/dbpm-exporter.service'), 'utf8');
    expect(unit).toBe(readFileSync(join(root, 'deploy/systemd/dbpm-exporter.service'), 'utf8'));
    const completion = readFileSync(join(system, 'usr/share/zsh/vendor-completions/_dbpm-exporter'), 'utf8');
    expect(completion).toMatch(/^#compdef dbpm-exporter\n/);
    const key = join(system, 'key');
    writeFileSync(key, 'secret', { mode: 0o600 });
    const settings = join(system, 'etc/dbpm-exporter/config.yaml');
    const text = readFileSync(settings, 'utf8');
    writeFileSync(settings, text.replace('/run/credentials/dbpm-exporter.service/api-key', key));
    const args = ['check-config', '--config.file', settings];
    const checked = await run(join(system, 'usr/bin/dbpm-exporter'), args, { env: { HOME: home } });
    expect(checked.stdout).toContain('The configuration is valid.');
    const licences = String(
      gunzipSync(readFileSync(join(system, 'usr/share/doc/dbpm-exporter/licences.gz'))),
    );
    for (const name of ['Node.js', 'better-sqlite3', 'express']) expect(licences).toContain(`\n${name} `);
  });
});
