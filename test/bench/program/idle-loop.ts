import { readLoopDelay, watchLoopDelay } from '../process/loop-delay.ts';
import { serveTasks } from '../process/task.ts';

const delay = watchLoopDelay();

const tasks = {
  /** How late a loop that has nothing to do came round since this was last asked. */
  readDelay: () => readLoopDelay(delay),
};
export type IdleLoopTasks = typeof tasks;

serveTasks(tasks);
