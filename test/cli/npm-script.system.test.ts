import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { patience } from '../support/patience.ts';

const root = new URL('../..', import.meta.url).pathname;

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s to npm ends the daemon that npm started: no orphan holds its port, and no folder stays',
  async signal => {
    const demo = ['--web.listen-address', '127.0.0.1:0', '--projects', '1', '--history-days', '1'];
    const temporary = mkdtempSync(join(tmpdir(), 'dbpm-npm-'));
    onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
    // What Node compiles for it goes to the temporary folder, too.
    const { NODE_COMPILE_CACHE: _elsewhere, ...inherited } = process.env;
    const env = { ...inherited, TMPDIR: temporary };
    const npm = spawn('npm', ['run', '--silent', 'demo', '--', ...demo], { cwd: root, detached: true, env });
    onTestFinished(() => endGroup(npm.pid));
    const consoleUrl = await new Promise<string>((resolve, reject) => {
      let printed = '';
      npm.stdout.setEncoding('utf8').on('data', text => {
        printed += text;
        const url = /Open the console: (http:\S+)/.exec(printed)?.[1];
        if (url !== undefined) resolve(url);
      });
      npm.once('exit', () => reject(new Error(`the demo ended: ${printed}`)));
    });
    await vi.waitFor(async () => expect((await fetch(consoleUrl)).status).toBe(200), patience);
    const left = () => readdirSync(temporary).filter(name => name.startsWith('dbpm-exporter-'));
    expect(left()).toHaveLength(2);
    // A terminal that closes tells all that run in it.
    process.kill(signal === 'SIGHUP' ? -Number(npm.pid) : Number(npm.pid), signal);
    await once(npm, 'exit');
    await vi.waitFor(() => expect(fetch(consoleUrl)).rejects.toThrow('fetch failed'), patience);
    await vi.waitFor(() => expect(left()).toEqual([]), patience);
  },
);

/** Ends what a failed test would leave running. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}
