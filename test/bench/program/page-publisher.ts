import { PageSet } from '../../../src/metrics/page/page-set.ts';
import { catalog } from '../../../src/resources/catalog.ts';
import { FleetPage } from '../fleet/fleet-page.ts';
import { ViewFleet } from '../fleet/view-fleet.ts';
import { serveTasks } from '../process/task.ts';

interface Publishing {
  readonly projects: number;
  readonly changedShare: number;
  readonly rounds: number;
}

/** Processor time in milliseconds, of all threads. */
interface Costs {
  /** All of it from nothing: rendered, compressed and assembled. */
  readonly full: readonly number[];
  /** What changed, spread over the whole page. */
  readonly scattered: readonly number[];
  /** What changed, just after what changes often was moved together; a twentieth of it is new each time. */
  readonly together: readonly number[];
}

function publish({ projects, changedShare, rounds }: Publishing): Costs {
  const fleet = new ViewFleet(projects);
  const page = new FleetPage(fleet);
  page.publish();
  const publishChanges = (share: number) => {
    const changed = fleet.change(share);
    return measureMs(() => page.publish(changed));
  };
  // The first ones teach V8 what to compile, and the page which projects change often.
  for (let round = 0; round < 3; round += 1) publishChanges(changedShare);
  const polls = Array.from({ length: rounds });
  const full = polls.slice(0, 5).map(() => measureMs(() => publishAll(fleet)));
  const scattered = polls.map(() => publishChanges(changedShare));
  const together = polls.map(() => {
    page.rearrange();
    return publishChanges(changedShare);
  });
  return { full, scattered, together };
}

function publishAll(fleet: ViewFleet): void {
  const pages = new PageSet(catalog);
  pages.show([fleet.view()]);
  pages.publish();
  pages.assemble('text');
}

function measureMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const tasks = { publish };
export type PublisherTasks = typeof tasks;

serveTasks(tasks);
