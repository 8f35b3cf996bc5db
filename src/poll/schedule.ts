import { createTask, type Logger, validate } from 'node-cron';
import { minuteMs, secondMs } from '../resources/duration.ts';

/** node-cron reports through its own logger; what matters of that (a run still busy or failed) we say ourselves. */
const silent: Logger = { info() {}, warn() {}, error() {}, debug() {} };

/** Advice in place of an expression that node-cron cannot run; undefined when it can. */
export function checkSchedule(expression: string): string | undefined {
  // With five fields node-cron means minutes, where the first of six fields means seconds.
  return validate(expression) && expression.trim().split(/\s+/).length !== 5
    ? undefined
    : 'write a cron expression of six fields, seconds first, such as "*/30 * * * * *"';
}

/** Runs looked at to see how often they come. */
const runsAhead = 30;

/**
 * Time from one run to the next, as it usually is, in milliseconds.
 *
 * @param expression one that `checkSchedule` accepts.
 */
export function scheduleIntervalMs(expression: string): number {
  const task = createTask(expression, () => {}, { timezone: 'UTC', logger: silent });
  const runsAt = task.getNextRuns(runsAhead).map(run => run.getTime());
  void task.destroy();
  const gapsMs = runsAt.slice(1).map((at, index) => at - (runsAt[index] ?? at));
  return gapsMs.toSorted((a, b) => a - b)[gapsMs.length >> 1] ?? Number.POSITIVE_INFINITY;
}

interface ScheduleListeners {
  /** A run was left out because the one before was still busy. */
  readonly onOverlap: () => void;
  /** A run failed; the next one comes all the same. */
  readonly onError: (error: unknown) => void;
  /** Called every minute at least while none is under way: the next one will come. */
  readonly onWait?: () => void;
}

/** A task that runs on a schedule. */
export interface Schedule {
  /** Since when a run is under way; undefined between two. Epoch milliseconds by the host's clock, as all here. */
  underWaySince(): number | undefined;
  /** When the next run begins. */
  nextAt(): number;
  stop(): Promise<void>;
}

/**
 * Runs a task at once and then on a schedule (UTC), never twice at the same time. Stopping waits for a run under way.
 * A step of the host clock neither repeats runs nor keeps them waiting.
 *
 * @param expression one that `checkSchedule` accepts.
 */
export function startSchedule(
  expression: string,
  run: () => Promise<void>,
  { onOverlap, onError, onWait = () => {} }: ScheduleListeners,
): Schedule {
  let running: Promise<void> | undefined;
  let startedAt = 0;
  const runAlone = () => {
    if (running !== undefined) return onOverlap();
    startedAt = Date.now();
    running = run()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };
  const alarm = new SlotAlarm(expression, runAlone, () => {
    if (running === undefined) onWait();
  });
  runAlone();
  return {
    underWaySince: () => (running === undefined ? undefined : startedAt),
    nextAt: () => alarm.slotAt,
    async stop() {
      alarm.stop();
      await running;
    },
  };
}

/** Sleeps longer than this are cut up: after each part the host clock is looked at again. */
const longestSleepMs = minuteMs;
/** The most that a timer may wake up before its slot by the host clock; slots are a second apart at least. */
const leastGapMs = secondMs;

/**
 * Calls back at every slot of a schedule. node-cron says when a slot is, but its own clock goes through every slot a
 * step of the host clock passed over, and waits for the host clock when that was set back. Here timers, which measure
 * time that really passed, do the waiting: from any instant of the host clock, the next slot is one interval away.
 */
class SlotAlarm {
  readonly #onSlot: () => void;
  readonly #onWait: () => void;
  readonly #task;
  #timer: NodeJS.Timeout | undefined;
  #slotAt = 0;

  constructor(expression: string, onSlot: () => void, onWait: () => void) {
    this.#onSlot = onSlot;
    this.#onWait = onWait;
    this.#task = createTask(expression, () => {}, { timezone: 'UTC', logger: silent });
    this.#sleepUntil(this.#nextSlot());
  }

  /** The next slot, in epoch milliseconds by the host's clock. */
  get slotAt(): number {
    return this.#slotAt;
  }

  stop(): void {
    clearTimeout(this.#timer);
    void this.#task.destroy();
  }

  /** @param doneAt the slot that was called last: a timer that was early does not call it again. */
  #nextSlot(doneAt = Number.NEGATIVE_INFINITY): number {
    const isEarly = Math.abs(doneAt - Date.now()) < leastGapMs;
    const slots = this.#task.getNextRuns(2).map(slot => slot.getTime());
    return slots.find(at => !isEarly || at > doneAt) ?? Date.now() + longestSleepMs;
  }

  #sleepUntil(slotAt: number): void {
    this.#slotAt = slotAt;
    // Where the thread stood still meanwhile the run is due already.
    const waitMs = Math.max(0, slotAt - Date.now());
    const isLast = waitMs <= longestSleepMs;
    this.#timer = setTimeout(
      () => {
        const isDue = isLast || Date.now() >= slotAt;
        this.#sleepUntil(this.#nextSlot(isDue ? slotAt : undefined));
        if (isDue) this.#onSlot();
        else this.#onWait();
      },
      isLast ? waitMs : longestSleepMs,
    );
  }
}
