import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s to npm ends the daemon that npm started: no orphan holds its port',
  async signal => {
    const demo = ['--web.listen-address', '127.0.0.1:0', '--projects', '1', '--history-days', '1'];
    const npm = spawn('npm', ['run', '--silent', 'demo', '--', ...demo], { cwd: root, detached: true });
    onTestFinished(() => endGroup(npm.pid));
    const landingPage = await new Promise<string>((resolve, reject) => {
      let printed = '';
      npm.stdout.setEncoding('utf8').on('data', text => {
        printed += text;
        const url = /landing page\s+(http:\S+)/.exec(printed)?.[1];
        if (url !== undefined) resolve(url);
      });
      npm.once('exit', () => reject(new Error(`the demo ended: ${printed}`)));
    });
    expect((await fetch(landingPage)).status).toBe(200);
    npm.kill(signal);
    await once(npm, 'exit');
    await expect(fetch(landingPage)).rejects.toThrow('fetch failed');
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
