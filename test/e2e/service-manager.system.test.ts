import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { patience } from '../support/patience.ts';
import { describeWithPeers } from '../support/peer.ts';
import { openNotifySocket } from './notify-socket.ts';
import { startWorld } from './simulated-world.ts';

/** Once a file is there, threads of the daemon hang, and its own clock runs ahead so that no test waits for minutes. */
const hangingThreads = `
import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const realNow = performance.now.bind(performance);
let hungAt;
if (isMainThread) performance.now = () => hungAt === undefined ? realNow() : hungAt + 1000 * (realNow() - hungAt);
setInterval(() => {
  if (hungAt !== undefined || !existsSync(process.env.HANG_FILE)) return;
  if (!isMainThread) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  hungAt = realNow();
}, 20).unref();`;

describeWithPeers(['python3', 'systemd-notify'], 'a daemon that systemd started', ({ python3 }) => {
  async function openManaged(more: Readonly<Record<string, string>> = {}) {
    const world = await startWorld({ projects: 3, historyDays: 1 });
    onTestFinished(() => world.close());
    const path = join(world.folder, 'notify');
    const manager = await openNotifySocket(python3, path);
    onTestFinished(() => manager.close());
    const daemon = world.startDaemon({ NOTIFY_SOCKET: path, WATCHDOG_USEC: '300000', ...more });
    const url = await daemon.untilServing();
    const count = (message: string) => manager.messages.filter(each => each === message).length;
    return { daemon, url, manager, count };
  }

  test('says when it is ready, gives signs of life, tells of reloads and of its end', async () => {
    const { daemon, manager, url, count } = await openManaged();
    await vi.waitFor(() => expect(count('WATCHDOG=1')).toBeGreaterThanOrEqual(3), patience);
    expect(manager.messages.slice(0, 2)).toEqual([
      expect.stringMatching(/^STATUS=Watching \d projects of main, serving at /),
      'READY=1',
    ]);
    await vi.waitFor(
      () => expect(manager.messages).toContain(`STATUS=Watching 3 projects of main, serving at ${url}`),
      patience,
    );
    expect(count('READY=1')).toBe(1);
    daemon.signal('SIGHUP');
    await vi.waitFor(() => expect(count('READY=1')).toBe(2), patience);
    const told = manager.messages.filter(each => /^(READY|RELOADING)=/.test(each));
    expect(told).toEqual(['READY=1', 'RELOADING=1', 'READY=1']);
    expect(await daemon.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    await vi.waitFor(() => expect(manager.messages.at(-1)).toBe('STOPPING=1'), patience);
  });

  test('lets the sender of its messages know no key', async () => {
    const { daemon, count } = await openManaged();
    // Before it is another program it is a copy of the daemon.
    await vi.waitFor(() => expect(count('READY=1')).toBe(1), patience);
    const environments = readdirSync('/proc')
      .filter(
        pid => /^\d+$/.test(pid) && readFileIfAny(`/proc/${pid}/stat`).split(' ')[3] === `${daemon.pid}`,
      )
      .map(pid => readFileIfAny(`/proc/${pid}/environ`).split('\0').filter(Boolean).toSorted());
    expect(environments).toEqual([
      [expect.stringMatching(/^NOTIFY_SOCKET=/), expect.stringMatching(/^PATH=/)],
    ]);
  });

  test('is silent once its history hangs, with the reason in its status, so that it is killed', async () => {
    const hangFile = join(tmpdir(), `dbpm-hang-${process.pid}`);
    onTestFinished(() => rmSync(hangFile, { force: true }));
    const { daemon, url, manager, count } = await openManaged({
      HANG_FILE: hangFile,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hangingThreads)}`,
    });
    await vi.waitFor(() => expect(count('WATCHDOG=1')).toBeGreaterThanOrEqual(3), patience);
    expect((await fetch(`${url}/-/healthy`)).status).toBe(200);
    writeFileSync(hangFile, '');
    await vi.waitFor(() => expect(manager.messages.at(-1)).toMatch(/^STATUS=.* has stalled/), patience);
    const health = await fetch(`${url}/-/healthy`);
    expect([health.status, await health.text()]).toEqual([
      503,
      expect.stringMatching(/^dbpm-exporter has stalled: polling the list of projects/),
    ]);
    const signs = count('WATCHDOG=1');
    const messages = manager.messages.length;
    await vi.waitFor(() => expect(manager.messages.length).toBeGreaterThan(messages + 10), patience);
    expect(count('WATCHDOG=1')).toBe(signs);
    expect(await daemon.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  });
});

function readFileIfAny(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
