import { writePast } from '../fleet/past.ts';
import { serveTasks } from '../process/task.ts';

const tasks = { write: writePast };
export type PastTasks = typeof tasks;

serveTasks(tasks);
