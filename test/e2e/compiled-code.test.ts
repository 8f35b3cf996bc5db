import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';

const unreachable = 'http://127.0.0.1:9/api/v2/';
/** Its threads write one after the other. */
const settling = { timeout: 60_000, interval: 4000 };

test('a daemon that is killed leaves the compiled code of all its threads to the next one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-compiled-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const NODE_COMPILE_CACHE = join(folder, 'code');
  const start = () =>
    startDaemonProcess({
      base_url: unreachable,
      apiKey: 'key',
      historyFile: join(folder, 'history.sqlite'),
      env: { NODE_COMPILE_CACHE },
    });
  const count = () => readdirSync(NODE_COMPILE_CACHE, { recursive: true }).length;
  /** Starts the threads of the console, too: one makes the page, and one its report. */
  const startRead = async () => {
    const daemon = start();
    const url = await daemon.untilServing();
    const { status } = await fetch(`${url}/reports/usage?format=json`);
    expect(status).toBe(200);
    return daemon;
  };
  const killed = await startRead();
  let written = 0;
  const grow = () => {
    const before = written;
    written = count();
    return written - before;
  };
  await vi.waitFor(
    () => expect({ grown: grow(), isMuch: written > 300 }).toEqual({ grown: 0, isMuch: true }),
    settling,
  );
  await killed.stop('SIGKILL');
  const left = count();
  const next = await startRead();
  await next.stop('SIGTERM');
  expect(count() - left).toBeLessThan(10);
}, 120_000);
