import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withProgress } from '../../src/cli/terminal.ts';
import { makeFakeIo } from './fake-io.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that is a third done after half a second and done after three, on a terminal or not. */
async function work(terminal: boolean): Promise<string> {
  const { io, printed } = makeFakeIo({ terminal });
  const ended = withProgress(
    io,
    'asking',
    async show => {
      await new Promise(resolve => setTimeout(resolve, 500));
      show(1 / 3);
      await new Promise(resolve => setTimeout(resolve, 2500));
    },
    { patienceMs: 1000 },
  );
  await vi.advanceTimersByTimeAsync(3000);
  await ended;
  return printed.stderr;
}

test('work that is silent for a while shows on a terminal how far it was', async () => {
  expect(await work(true)).toBe('\rasking: 33%\r\u001b[K');
});

test('nothing is shown where there is no terminal', async () => {
  expect(await work(false)).toBe('');
});
