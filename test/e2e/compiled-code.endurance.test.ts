import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';

const unreachable = 'http://127.0.0.1:9/api/v2/';
/** Code that only a thread that ends needs may be missing. */
const fewFiles = 10;

test('a daemon that is killed leaves the compiled code of all its threads to the next one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-compiled-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const codeOf = (name: string) => join(folder, `${name}-code`);
  const count = (name: string) => readdirSync(codeOf(name), { recursive: true }).length;
  /** Starts the threads of the console, too: one makes the page, and one its report. */
  const startRead = async (name: string) => {
    const daemon = startDaemonProcess({
      base_url: unreachable,
      apiKey: 'key',
      historyFile: join(folder, `${name}.sqlite`),
      env: { NODE_COMPILE_CACHE: codeOf(name) },
    });
    const url = await daemon.untilServing();
    const { status } = await fetch(`${url}/reports/usage?format=json`);
    // The thread of the report says that nothing was read yet.
    expect(status).toBe(503);
    return daemon;
  };
  // What a thread of the first life did not get to, that of the second one does.
  for (let life = 0; life < 2; life += 1) {
    const ended = await startRead('ended');
    await ended.stop('SIGTERM');
  }
  const all = count('ended');
  expect(all).toBeGreaterThan(1000);

  const killed = await startRead('killed');
  // Its threads write one after the other, on a busy machine long after the report.
  await vi.waitFor(() => expect(count('killed')).toBeGreaterThan(all - fewFiles), 60_000);
  await killed.stop('SIGKILL');
  const left = count('killed');
  const next = await startRead('killed');
  await next.stop('SIGTERM');
  expect(count('killed') - left).toBeLessThan(fewFiles);
}, 120_000);
