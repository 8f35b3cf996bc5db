import { renderPage } from '../../../src/metrics/page.ts';
import { catalog } from '../../../src/resources/catalog.ts';
import { FleetPage } from '../fleet/fleet-page.ts';
import { ViewFleet } from '../fleet/view-fleet.ts';
import { serveTasks } from '../process/task.ts';

interface Publishing {
  readonly projects: number;
  readonly changedShare: number;
  readonly rounds: number;
}

/** Processor time in milliseconds, of all threads: compression is work too. */
interface Costs {
  readonly full: readonly number[];
  readonly changed: readonly number[];
}

/** Publishes in turns from scratch and what changed. */
async function publish({ projects, changedShare, rounds }: Publishing): Promise<Costs> {
  const fleet = new ViewFleet(projects);
  const page = new FleetPage(fleet);
  await page.publish();
  const costs = { full: [] as number[], changed: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    costs.full.push(await measureMs(() => renderPage(catalog, [fleet.view()])));
    const changedIds = fleet.change(changedShare);
    costs.changed.push(await measureMs(() => page.publish(changedIds)));
  }
  return costs;
}

async function measureMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const tasks = { publish };
export type PublisherTasks = typeof tasks;

serveTasks(tasks);
