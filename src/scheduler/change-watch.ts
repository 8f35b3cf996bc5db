import type { Project } from '../resources/project.ts';
import { diffProject, hasSlowed, isAftermath } from './list-diff.ts';
import { type ListLag, longestLagMs } from './list-lag.ts';
import type { WatchedProject } from './watched-project.ts';

/** Growth that turned out to be nothing new is not looked into again for so long at first, then ever longer. */
const firstQuietMs = 15_000;
/** A start is taken to be the cause of growth only after a rest longer than a list is usually behind. */
const cleanRestMs = 20 * 60_000;

/**
 * Follows a project in the list: notes on it whether the list gives a reason to read it soon.
 *
 * @returns whether it does and did not before.
 */
export function followList(watched: WatchedProject, project: Project, lag: ListLag, now: number): boolean {
  const diff = diffProject(watched.project, project);
  const elapsedMs = now - watched.listedAt;
  const { changedAt, stopSuspected } = watched;
  if (watched.busy) followBusy(watched, diff, elapsedMs);
  else if (diff.fields || (diff.growthSec > 0 && isStart(watched, lag.lagMs, now))) watched.changedAt ??= now;
  if (diff.growthSec > 0 || diff.fields) watched.project = project;
  else if (project.cpu_used_sec !== watched.project.cpu_used_sec) watched.project = project;
  learnShown(watched, diff.growthSec, lag, now);
  if (elapsedMs > 0) watched.cpuRate = (diff.growthSec * 1000) / elapsedMs;
  watched.listedAt = now;
  return changedAt !== watched.changedAt || stopSuspected !== watched.stopSuspected;
}

function followBusy(watched: WatchedProject, diff: ReturnType<typeof diffProject>, elapsedMs: number): void {
  if (diff.settings || hasSlowed(watched.cpuRate, diff.growthSec, elapsedMs)) watched.stopSuspected = true;
}

function isStart(watched: WatchedProject, lagMs: number, now: number): boolean {
  if (now < watched.quietUntil && watched.quietUntil - now <= watched.quietMs) return false;
  if (isAftermath(watched, lagMs)) return false;
  if (Number.isNaN(watched.growthSeenAt)) {
    watched.growthSeenAt = now;
    watched.growthUnseenAt = watched.listedAt;
  }
  return true;
}

/** The list shows a start that was found without it, or should have long ago. */
function learnShown(watched: WatchedProject, growthSec: number, lag: ListLag, now: number): void {
  const { unshownStartAt, listedAt } = watched;
  if (unshownStartAt === undefined) return;
  if (growthSec > 0) lag.learn(unshownStartAt, listedAt, now);
  else if (now - unshownStartAt > longestLagMs) lag.learnUnseen();
  else return;
  watched.unshownStartAt = undefined;
}

/** What a reading says of the change for which it may have been made. */
export interface ChangeFound {
  readonly wasBusy: boolean;
  readonly restedAt: number;
  /** A start the reading found. */
  readonly startedAt: number | undefined;
  /** Its operations are not as they were. */
  readonly news: boolean;
}

/** Learns from a reading what the list was right or wrong about, and makes an end of what it said. */
export function followReading(watched: WatchedProject, found: ChangeFound, lag: ListLag, now: number): void {
  const { wasBusy, restedAt, startedAt, news } = found;
  const { growthSeenAt, growthUnseenAt } = watched;
  if (startedAt !== undefined && !wasBusy && !(startedAt - restedAt < cleanRestMs)) {
    if (growthSeenAt >= startedAt) lag.learn(startedAt, growthUnseenAt, growthSeenAt);
    else watched.unshownStartAt = startedAt;
  }
  if (news) {
    watched.quietMs = 0;
  } else if (!wasBusy && !Number.isNaN(growthSeenAt)) {
    watched.quietMs = Math.min(Math.max(firstQuietMs, 2 * watched.quietMs), longestLagMs);
    watched.quietUntil = now + watched.quietMs;
  }
  watched.growthSeenAt = Number.NaN;
}
