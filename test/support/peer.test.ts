import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findPeer } from './peer.ts';

test('a peer is found in the first folder of PATH that has it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-peer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'promtool');
  writeFileSync(program, '');
  expect(findPeer('promtool', { PATH: `/nowhere:${folder}` })).toBe(undefined);
  chmodSync(program, 0o755);
  expect(findPeer('promtool', { PATH: `/nowhere:${folder}` })).toBe(program);
});

test('a missing peer is undefined on a machine of a user and a failure where CI is true', () => {
  expect(findPeer('promtool', { PATH: '/nowhere' })).toBe(undefined);
  expect(() => findPeer('promtool', { PATH: '/nowhere', CI: 'true' })).toThrow(
    'promtool not found (Debian package prometheus)',
  );
});
