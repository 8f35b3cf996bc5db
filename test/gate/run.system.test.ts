import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { patience } from '../support/patience.ts';

const root = new URL('../..', import.meta.url).pathname;
const today = '2026-12-15';

/** Starts the gate over the fixture, with a list of flakes. */
function startGate(list: string, env: NodeJS.ProcessEnv = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-gate-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'known-flakes.yaml'), list);
  const gate = spawn(
    process.execPath,
    [
      ...['test/gate/run.ts', '--config', 'test/gate/fixture/vitest.config.ts', '--today', today],
      ...['--known-flakes', join(folder, 'known-flakes.yaml')],
    ],
    {
      cwd: root,
      env: { ...process.env, ...env, GATE_FOLDER: folder, NO_COLOR: '1', FORCE_COLOR: undefined },
    },
  );
  onTestFinished(() => void gate.kill());
  return { folder, gate };
}

async function finish(
  gate: ChildProcess,
): Promise<{ readonly code: unknown; readonly lines: readonly string[] }> {
  const ended = once(gate, 'exit');
  const printed = gate.stdout === null ? '' : await text(gate.stdout);
  const [code] = await ended;
  return { code, lines: printed.trimEnd().split('\n') };
}

const fixture = 'test/gate/fixture/mixed.fixture.ts > a suite (of the gate)';

test('the gate runs what failed once more alone, and tells a flake from a failure', async () => {
  const entry = `
- file: test/gate/fixture/mixed.fixture.ts
  test: a suite (of the gate) > fails the first time
  listed: ${today}
  reason: it counts its runs
`;
  const { gate } = startGate(entry);
  const { code, lines } = await finish(gate);
  expect(lines.filter(line => /^once more|^flaky:|^not in| failed, /.test(line)).toSorted()).toEqual([
    '2 passed, 2 failed, 2 skipped',
    `flaky: ${fixture} > fails the first time`,
    'once more, alone: test/gate/fixture/hook.fixture.ts > (whole file)',
    `once more, alone: ${fixture} > always fails`,
    `once more, alone: ${fixture} > fails the first time`,
  ]);
  expect(lines.at(-1)).toBe('2 passed, 2 failed, 2 skipped');
  expect(code).toBe(1);
});

test('the gate runs nothing with a list that is too old', async () => {
  const { gate } = startGate('- { file: test/gate/run.ts, test: a, listed: 2026-11-01, reason: waits }');
  const { code, lines } = await finish(gate);
  expect(lines).toEqual([
    expect.stringMatching(/known-flakes\.yaml: entry 1: listed 44 days ago, the most is 14$/),
    '0 passed, 1 failed, 0 skipped',
  ]);
  expect(code).toBe(1);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends the tests and what they started, and runs none again', async (signal, expected) => {
  const { gate, folder } = startGate('[]', { GATE_ENDLESS: 'yes' });
  const finished = finish(gate);
  const pids = await vi.waitFor(() => {
    const written = readFileSync(join(folder, 'pids'), 'utf8');
    expect(written).toMatch(/^\d+ \d+ $/);
    return written.trim().split(' ').map(Number);
  }, patience);
  gate.kill(signal);
  const { code, lines } = await finished;
  expect(code).toBe(expected);
  expect(lines.filter(line => line.startsWith('once more'))).toEqual([]);
  for (const pid of pids)
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), patience);
});
