import { copyFileSync } from 'node:fs';
import { LivedHistory } from '../../support/lived-history.ts';
import { serveTasks } from '../process/task.ts';

interface Day {
  readonly file: string;
  readonly projects: number;
  readonly hours: number;
  /** Epoch seconds. */
  readonly begin: number;
}

/** Writes the history of a simulated fleet, a week old, that was watched for some hours: its list twice a minute. */
function live({ file, projects, hours, begin }: Day): void {
  using life = new LivedHistory({ now: begin, projects, historyDays: 7 });
  life.watch(hours * 3600, { listEverySeconds: 30, projectsEvery: 10 });
  while (life.history.upkeep(life.now));
  life.folder.close(life.history);
  copyFileSync(life.folder.file, file);
}

const tasks = { live };
export type LivedDayTasks = typeof tasks;

serveTasks(tasks);
