import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { gzipHeader } from '../../../src/metrics/page/gzip.ts';
import { PageSet } from '../../../src/metrics/page/page-set.ts';
import { catalog } from '../../../src/resources/catalog.ts';
import type { ProjectView } from '../../../src/resources/project.ts';
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
  /** zlib alone, at its fastest, over as many bytes in as many pieces as scattered changes touch. */
  readonly deflated: readonly number[];
  /** The same over what changes touch that were moved together. */
  readonly deflatedTogether: readonly number[];
  /** Finding what changed alone, by comparing it with what was there. */
  readonly compared: readonly number[];
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
  const touched = listTouched(fleet, changedShare);
  const deflated = polls.map(() => measureMs(() => touched.scattered.forEach(deflate)));
  const deflatedTogether = polls.map(() => measureMs(() => touched.together.forEach(deflate)));
  const compared = polls.map(() => {
    const changed = fleet.change(changedShare);
    return measureMs(() => put(touched.pages, changed));
  });
  return { full, scattered, together, deflated, deflatedTogether, compared };
}

/**
 * Plain text of the page, cut into pieces as long as its own: as many as a change of the fleet renews, before and after what
 * changes often was moved together.
 */
function listTouched(fleet: ViewFleet, changedShare: number) {
  const pages = new PageSet(catalog);
  pages.show([fleet.view()]);
  const { renewedPieces: pieces } = pages.publish();
  const countRenewed = () => {
    put(pages, fleet.change(changedShare));
    return pages.publish().renewedPieces;
  };
  const scattered = countRenewed();
  for (let round = 0; round < 3; round += 1) countRenewed();
  pages.rearrange();
  pages.publish();
  const together = countRenewed();
  const { gzip } = pages.assemble('text');
  const page = inflateRawSync(gzip.subarray(gzipHeader.length), { finishFlush: constants.Z_SYNC_FLUSH });
  const length = Math.floor(page.length / pieces);
  const cut = (count: number) =>
    Array.from({ length: count }, (_, index) => page.subarray(index * length, (index + 1) * length));
  return { pages, scattered: cut(scattered), together: cut(together) };
}

function put(pages: PageSet, changed: readonly ProjectView[]): void {
  for (const view of changed) pages.putProject(view.account, view.project_id, view);
}

function deflate(piece: Uint8Array): void {
  deflateRawSync(piece, {
    level: 1,
    windowBits: 13,
    memLevel: 6,
    finishFlush: constants.Z_FULL_FLUSH,
    chunkSize: 4096,
  });
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
