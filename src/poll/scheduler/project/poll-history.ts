import type { OperationProgress, PollCheckpoint } from '../../../resources/reading.ts';
import { pollsPerFullPoll } from '../budget-share.ts';
import { failAgain, hasPassed, type RepeatedFailure } from '../due-time.ts';

type KnownOperations = PollCheckpoint['known'];

const nothingKnown: KnownOperations = { openIds: [] };
const noIds: readonly string[] = [];

/** How a poll that did not fail ended. */
interface PollSuccess {
  /** Its endpoints were read too. */
  readonly full: boolean;
  /** Tells its recent operations from others; undefined when the next poll must be full. */
  readonly mark: number | undefined;
  /** How many partial polls a full one counts as at once, so that full ones of many projects do not come together again. */
  readonly headStart: number;
}

/** How the polls of one project went, and what the next one continues from. */
export class PollHistory {
  #known = nothingKnown;
  #busy = false;
  #isRunning = false;
  #count = 0;
  #partialPolls = 0;
  #lastReadAt: number | undefined;
  #lastFullAt: number | undefined;
  #failure: RepeatedFailure | undefined;
  #operationMark: number | undefined;

  /** How far its operations are known, and which known ones have not ended. */
  get known(): KnownOperations {
    return this.#known;
  }

  /** Whether an endpoint is not at rest or an operation has not ended. */
  get busy(): boolean {
    return this.#busy;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** How many polls began. */
  get count(): number {
    return this.#count;
  }

  /** Epoch milliseconds by this host's clock; undefined when no poll succeeded since the daemon started. */
  get lastReadAt(): number | undefined {
    return this.#lastReadAt;
  }

  /** The failed polls since the last one that succeeded; undefined when that was the last. */
  get failure(): RepeatedFailure | undefined {
    return this.#failure;
  }

  /** When a poll last ended, well or not; undefined if none did. */
  get touchedAt(): number | undefined {
    const readAt = this.#lastReadAt;
    const triedAt = this.#failure?.lastTriedAt;
    if (readAt === undefined || triedAt === undefined) return readAt ?? triedAt;
    return Math.max(readAt, triedAt);
  }

  /** Tells whether its recent operations are the same as when they were last read; undefined before that. */
  get operationMark(): number | undefined {
    return this.#operationMark;
  }

  /** Whether its operations were read back to their beginning. */
  get isImported(): boolean {
    return this.#known.headAt !== undefined && this.#known.tailCursor === undefined;
  }

  /** Whether a poll may read the recent operations alone, as long as they show nothing new. */
  mayBePartial(idleRefreshMs: number, now: number): boolean {
    if (!this.isImported || this.#known.openIds.length > 0 || this.#operationMark === undefined) return false;
    const fullAt = this.#lastFullAt;
    const isFullDue = fullAt !== undefined && hasPassed(fullAt, idleRefreshMs, now);
    return this.#partialPolls < pollsPerFullPoll - 1 || !isFullDue;
  }

  /** Takes over what the history knows after a reading was committed. */
  continueFrom({ known, busy }: Pick<PollCheckpoint, 'known' | 'busy'>): void {
    this.#known = known.openIds.length > 0 ? known : { ...known, openIds: noIds };
    this.#busy = busy;
  }

  /** Takes over how far the operations are known where the history answers no checkpoint. */
  advance({ headAt, tailCursor }: OperationProgress): void {
    const { openIds } = this.#known;
    this.#known = {
      openIds,
      ...(headAt !== undefined && { headAt }),
      ...(tailCursor !== undefined && { tailCursor }),
    };
  }

  begin(): void {
    this.#isRunning = true;
    this.#count += 1;
  }

  /** The poll ended without a result. */
  abandon(): void {
    this.#isRunning = false;
  }

  /** @param refused whether the service answered 401: what a partial poll leaves out may be refused too. */
  fail({ refused = false }: { readonly refused?: boolean }, now: number): void {
    this.#isRunning = false;
    if (refused) this.#operationMark = undefined;
    this.#failure = failAgain(this.#failure, now);
  }

  succeed({ full, mark, headStart }: PollSuccess, now: number): void {
    this.#isRunning = false;
    this.#failure = undefined;
    this.#partialPolls = full ? headStart : this.#partialPolls + 1;
    this.#lastReadAt = now;
    if (full) this.#lastFullAt = now;
    this.#operationMark = mark;
  }

  /** Takes the project for busy because its list says so: its endpoints are not read. */
  presumeBusy(): void {
    this.#busy = true;
  }
}
