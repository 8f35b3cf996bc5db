import type { Io } from './io.ts';

interface ProgressOptions {
  /** Whether nothing is shown at all. */
  readonly isHidden?: boolean;
  /** Work that takes no longer than this says nothing. */
  readonly patienceMs?: number;
}

/**
 * Does long work and shows on a terminal how far it is, in whole percent; the line goes when the work ends.
 *
 * @param work is given a function to be called with the part that is done, 0 to 1.
 */
export async function withProgress<Result>(
  { stderr, stderrIsTerminal }: Pick<Io, 'stderr' | 'stderrIsTerminal'>,
  what: string,
  work: (show: (done: number) => void) => Result | Promise<Result>,
  { isHidden = false, patienceMs = 0 }: ProgressOptions = {},
): Promise<Result> {
  const startedAt = performance.now();
  let shown = -1;
  let latest = 0;
  const show = (done: number) => {
    latest = done;
    const percent = Math.floor(100 * done);
    if (!stderrIsTerminal || isHidden || percent === shown) return;
    if (performance.now() - startedAt < patienceMs) return;
    shown = percent;
    stderr(`\r${what}: ${percent} %`);
  };
  // Work that waits for others says nothing by itself for a while. A timer may be a little early.
  const timer = patienceMs > 0 ? setTimeout(() => show(latest), patienceMs + 1) : undefined;
  try {
    return await work(show);
  } finally {
    clearTimeout(timer);
    if (shown >= 0) stderr('\r\u001b[K');
  }
}
