import type { Project } from '../resources/project.ts';
import type { OperationProgress, PollCheckpoint } from '../resources/reading.ts';
import type { Queue, QueueMember } from './queue.ts';

type KnownOperations = PollCheckpoint['known'];

const nothingKnown: KnownOperations = { openIds: [] };
const noIds: readonly string[] = [];

/** What is remembered of a project between its readings; instants in epoch milliseconds by this host's clock. */
export class WatchedProject implements QueueMember<WatchedProject> {
  project: Project;
  known = nothingKnown;
  busy = false;
  /** When and in which sweep the list last showed it. */
  listedAt = Number.NaN;
  listPoll = 0;
  /** The last complete sweep did not show it. */
  missed = false;
  addedAt: number;
  /** Absent when it was not read since the daemon started. */
  lastReadAt: number | undefined;
  /** When its endpoints were last read too. */
  lastFullAt = Number.NaN;
  lastTriedAt: number | undefined;
  failingSince: number | undefined;
  /** How often it was read or tried. */
  polls = 0;
  partialPolls = 0;
  running = false;
  /** It stands among those that failed. */
  waitsToRetry = false;
  /** It is not watched any more. */
  dropped = false;
  /** When the list first showed something its last reading does not explain. */
  changedAt: number | undefined;
  /** The list says that its computes may have stopped. */
  stopSuspected = false;
  /** When the service said it does not exist. */
  missingAt: number | undefined;
  /** The service said it does not exist, and its list said otherwise later. */
  disputed = false;
  /** Growth of `cpu_used_sec` per second between the last two sweeps. */
  cpuRate = 0;
  /** The last change of state learned from, by the service's clock. */
  learnedAt = Number.NaN;
  /** Since when it is at rest and how long it usually rests; NaN while unknown. */
  restedAt = Number.NaN;
  usualRestMs = Number.NaN;
  /** A start the list has not shown yet. */
  unshownStartAt: number | undefined;
  /** Growth the list showed before the start behind it was known: when it was first seen, and last not. */
  growthSeenAt = Number.NaN;
  growthUnseenAt = Number.NaN;
  /** Until then growth is no reason to read it again, as it was not the last times. */
  quietUntil = 0;
  quietMs = 0;
  /** Tells whether its recent operations are the same as when they were last read; undefined before that. */
  operationMark: number | undefined;
  queue: Queue<WatchedProject> | undefined;
  before: WatchedProject | undefined;
  after: WatchedProject | undefined;

  constructor(project: Project, addedAt: number) {
    this.project = project;
    this.addedAt = addedAt;
  }

  get project_id(): string {
    return this.project.project_id;
  }

  /** Its operations were read back to their beginning. */
  get imported(): boolean {
    return this.known.headAt !== undefined && this.known.tailCursor === undefined;
  }

  /** When it was last read or tried; minus infinity if never. */
  get touchedAt(): number {
    return Math.max(
      this.lastReadAt ?? Number.NEGATIVE_INFINITY,
      this.lastTriedAt ?? Number.NEGATIVE_INFINITY,
    );
  }

  stand({ known, busy }: Pick<PollCheckpoint, 'known' | 'busy'>): void {
    this.known = known.openIds.length > 0 ? known : { ...known, openIds: noIds };
    this.busy = busy;
  }

  progress({ headAt, tailCursor }: OperationProgress): void {
    const { openIds } = this.known;
    this.known = {
      openIds,
      ...(headAt !== undefined && { headAt }),
      ...(tailCursor !== undefined && { tailCursor }),
    };
  }
}
