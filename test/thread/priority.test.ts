import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';

const module = new URL('../../src/thread/priority.ts', import.meta.url).href;

/** How nice each thread of this process is to others, by its number, as Linux says. */
function readNiceness(): ReadonlyMap<string, number> {
  return new Map(
    readdirSync('/proc/self/task').map(thread => {
      const [, fields = ''] = /\) (.*)/.exec(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')) ?? [];
      return [thread, Number(fields.split(' ')[16])];
    }),
  );
}

test.runIf(process.platform === 'linux')('one thread alone comes after the others', async () => {
  const source = `const { lowerPriority } = await import(${JSON.stringify(module)});
    lowerPriority(5);
    lowerPriority(5);
    const { parentPort } = await import('node:worker_threads');
    parentPort.on('message', () => parentPort.close());
    parentPort.postMessage('lowered');`;
  const before = readNiceness();
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
  onTestFinished(async () => void (await worker.terminate()));
  await once(worker, 'message');
  const own = getPriority();
  const after = readNiceness();
  expect([...before.keys()].map(thread => after.get(thread) ?? own)).toStrictEqual([...before.values()]);
  const lowered = [...after].filter(([thread, nice]) => !before.has(thread) && nice === Math.max(own, 5));
  expect(lowered.length).toBeGreaterThan(0);
  worker.postMessage('end');
});
