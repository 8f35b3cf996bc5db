import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { globalSettings } from '../../src/config/setting.ts';
import { describeWithPeers } from '../support/peer.ts';

const run = promisify(execFile);
const folder = new URL('../../deploy/systemd/', import.meta.url).pathname;
const read = (file: string) => readFileSync(folder + file, 'utf8');
const unit = read('dbpm-exporter.service');
const standby = read('dbpm-exporter-standby.service');
const socket = read('dbpm-exporter.socket');
const dropIn = read('dbpm-exporter.service.d/socket.conf');

/** The values of a directive, in their order. */
const valuesOf = (text: string, directive: string) =>
  Array.from(text.matchAll(new RegExp(`^${directive}=(.*)$`, 'gm')), ([, value = '']) => value);

test('the unit sets variables that the program or its allocator knows', () => {
  const ofAllocator = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'];
  const known = [...ofAllocator, ...globalSettings.map(setting => setting.env)];
  const set = [unit, dropIn].flatMap(text => valuesOf(text, 'Environment'));
  expect(set.map(each => each.split('=')[0])).toEqual([
    ...ofAllocator,
    'DBPM_HISTORY_FILE',
    'DBPM_WEB_SYSTEMD_SOCKET',
  ]);
  for (const each of set) expect(known).toContain(each.split('=')[0]);
});

test('the unit starts the program so that it notifies systemd, which waits for signs of life', () => {
  expect(valuesOf(unit, 'Type')).toEqual(['notify']);
  expect(valuesOf(unit, 'NotifyAccess')).toEqual(['all']);
  expect(Number.parseInt(valuesOf(unit, 'WatchdogSec')[0] ?? '', 10)).toBeGreaterThanOrEqual(30);
  expect(valuesOf(unit, 'ExecStart')).toEqual([
    '/usr/bin/dbpm-exporter serve --config.file /etc/dbpm-exporter/config.yaml',
  ]);
  expect(valuesOf(unit, 'RestartPreventExitStatus')).toEqual(['2']);
});

test('the unit of a standby is that of the service, but for what sets the two apart', () => {
  const lines = standby.split('\n');
  const before = unit.split('\n');
  expect(lines.filter(line => !before.includes(line) && !line.startsWith('#'))).toEqual([
    'Description=Standby of the Prometheus exporter for hosted Postgres projects',
    'ExecStart=/usr/bin/dbpm-exporter serve --standby --config.file /etc/dbpm-exporter/standby.yaml',
    'Environment=DBPM_WEB_LISTEN_ADDRESS=:10072',
    'User=dbpm-exporter',
  ]);
  expect(before.filter(line => !lines.includes(line) && !line.startsWith('#'))).toEqual([
    'Description=Prometheus exporter for hosted Postgres projects',
    'ExecStart=/usr/bin/dbpm-exporter serve --config.file /etc/dbpm-exporter/config.yaml',
  ]);
});

test('the page shows a configuration with the key where systemd puts it', () => {
  const [credential = ''] = valuesOf(unit, 'LoadCredential');
  expect(read('README.md')).toContain(
    `api_key_file: /run/credentials/dbpm-exporter.service/${credential.split(':')[0]}`,
  );
});

test('what Node cannot do without is not forbidden', () => {
  expect(valuesOf(unit, 'MemoryDenyWriteExecute')).toEqual([]);
  expect(valuesOf(unit, 'RestrictAddressFamilies')[0]).toContain('AF_UNIX');
});

test('the socket is on loopback, and the drop-in belongs to it', () => {
  expect(valuesOf(socket, 'ListenStream')).toEqual(['127.0.0.1:10062']);
  expect(valuesOf(dropIn, 'Requires')).toEqual(['dbpm-exporter.socket']);
});

describeWithPeers(['systemd-analyze'], 'systemd', ({ 'systemd-analyze': analyze }) => {
  /** A copy of the units whose program is one that this machine has. */
  function copyUnits(change = (text: string) => text): string {
    const copy = mkdtempSync(join(tmpdir(), 'dbpm-systemd-'));
    onTestFinished(() => rmSync(copy, { recursive: true }));
    cpSync(folder, copy, { recursive: true });
    const startable = unit.replace('/usr/bin/dbpm-exporter', process.execPath);
    writeFileSync(join(copy, 'dbpm-exporter.service'), change(startable));
    const standing = standby.replace('/usr/bin/dbpm-exporter', process.execPath);
    writeFileSync(join(copy, 'dbpm-exporter-standby.service'), standing);
    return copy;
  }

  const verify = async (copy: string) => {
    const units = ['dbpm-exporter.service', 'dbpm-exporter-standby.service', 'dbpm-exporter.socket'];
    const files = units.map(file => join(copy, file));
    const { stdout, stderr } = await run(analyze, ['verify', '--man=no', ...files]);
    return stdout + stderr;
  };

  test('understands every line of the units', async () => {
    expect(await verify(copyUnits())).toBe('');
    const misspelt = copyUnits(text => text.replace('UMask=', 'UMaks='));
    expect(await verify(misspelt)).toContain("Unknown key 'UMaks'");
  });

  test('finds the service as closed as the page says', async () => {
    const options = ['security', '--offline=yes', '--no-pager', '--threshold=15'];
    const { stdout } = await run(analyze, [...options, `${folder}dbpm-exporter.service`]);
    // A smiley follows, as the terminal can show it.
    const verdict = /Overall exposure level for \S+: [\d.]+ \w+/.exec(stdout)?.[0] ?? '';
    const [, level = ''] = /: ([\d.]+)/.exec(verdict) ?? [];
    expect(Number(level)).toBeLessThanOrEqual(1.5);
    expect(read('README.md')).toMatch(/Overall exposure level for dbpm-exporter\.service: 1\.4 OK/);
    const { stdout: version } = await run(analyze, ['--version']);
    // Each version of systemd weighs differently.
    if (version.startsWith('systemd 252 ')) expect(read('README.md')).toContain(verdict);
  });
});
