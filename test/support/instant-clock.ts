/** A clock on which every sleep is over at once, having moved the time; `sleeps` keeps how long each was, in milliseconds. */
export function instantClock(startAt = Date.UTC(2026, 0, 1)) {
  let time = startAt;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => time,
    advance(ms: number): void {
      time += ms;
    },
    async sleep(ms: number, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      sleeps.push(ms);
      time += ms;
    },
  };
}
