import { createTask, type Logger, validate } from 'node-cron';

/** node-cron reports through its own logger; what matters of that (a run still busy or failed) we say ourselves. */
const silent: Logger = { info() {}, warn() {}, error() {}, debug() {} };

/** Advice in place of an expression that node-cron cannot run; undefined when it can. */
export function checkSchedule(expression: string): string | undefined {
  // With five fields node-cron means minutes, where everyone who writes the first of six means seconds.
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

export interface ScheduleListeners {
  /** A run was left out because the one before was still busy. */
  readonly onOverlap: () => void;
  /** A run failed; the next one comes all the same. */
  readonly onError: (error: unknown) => void;
}

/**
 * Runs a task at once and then on a schedule (UTC), never twice at the same time. Stopping waits for a run under way.
 *
 * @param expression one that `checkSchedule` accepts.
 */
export function startSchedule(
  expression: string,
  run: () => Promise<void>,
  { onOverlap, onError }: ScheduleListeners,
): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  // node-cron's own noOverlap does not see a run that was not started by its clock, as the first one here.
  const runAlone = () => {
    if (running !== undefined) return onOverlap();
    running = run()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };
  const task = createTask(expression, runAlone, {
    timezone: 'UTC',
    logger: silent,
    suppressMissedWarning: true,
  });
  void task.start();
  runAlone();
  return {
    async stop() {
      await task.destroy();
      await running;
    },
  };
}
