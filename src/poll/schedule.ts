import { createTask, type Logger, validate } from 'node-cron';

/** node-cron reports through its own logger; what matters of that (a run that is still busy) we say ourselves. */
const silent: Logger = { info() {}, warn() {}, error() {}, debug() {} };

/** What to write instead of an expression node-cron cannot run; undefined when it can. */
export function checkSchedule(expression: string): string | undefined {
  return validate(expression)
    ? undefined
    : 'write a cron expression, seconds first, such as "*/30 * * * * *"';
}

/**
 * Runs a task at once and then on a schedule (UTC), never twice at the same time.
 *
 * @param onOverlap is told when a run was left out because the one before was still busy.
 */
export function startSchedule(
  expression: string,
  run: () => Promise<void>,
  onOverlap: () => void,
): { stop(): Promise<void> } {
  const task = createTask(expression, run, {
    noOverlap: true,
    timezone: 'UTC',
    logger: silent,
    suppressMissedWarning: true,
  });
  task.on('execution:overlap', onOverlap);
  void task.start();
  void task.execute();
  return {
    async stop() {
      await task.destroy();
    },
  };
}
