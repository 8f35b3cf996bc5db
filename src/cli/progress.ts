import type { Io } from './io.ts';

/** Shows on a terminal how far long work is, in whole percent. */
export function showProgress(
  { stderr, stderrIsTerminal }: Io,
  what: string,
): {
  readonly show: (done: number) => void;
  readonly end: () => void;
} {
  let shown = -1;
  return {
    show: done => {
      const percent = Math.floor(100 * done);
      if (!stderrIsTerminal || percent === shown) return;
      shown = percent;
      stderr(`\r${what}: ${percent} %`);
    },
    end: () => {
      if (shown >= 0) stderr('\r\u001b[K');
    },
  };
}
