import { namesOf } from '../../../resources/declared-field.ts';
import { minuteMs } from '../../../resources/duration.ts';
import { type Project, projectItem } from '../../../resources/project.ts';
import { type ListLag, longestLagMs } from '../list-lag.ts';

/** Time for which growth is no reason for a poll once it turned out to be nothing new; then ever longer. */
const firstQuietMs = 15_000;
/** A start is taken to be the cause of growth only after a rest longer than a list is usually behind. */
const cleanRestMs = 20 * minuteMs;

/** The state of the project as it is known when the list shows it. */
interface KnownState {
  readonly busy: boolean;
  /** Since when it is at rest, as far as is known. */
  readonly restedAt: number | undefined;
}

/** Findings of a poll about the change for which it may have been made. */
interface PollFindings {
  readonly wasBusy: boolean;
  /** Since when it was known to be at rest before the poll. */
  readonly restedAt: number | undefined;
  /** A start the poll found. */
  readonly startedAt: number | undefined;
  /** Its operations are not as they were. */
  readonly news: boolean;
}

/** Growth of `cpu_used_sec` that the list showed before the start behind it was known. */
interface UnexplainedGrowth {
  readonly seenAt: number;
  /** When the list last showed nothing of it, as far as is known. */
  readonly unseenAt: number | undefined;
}

/** A time in which growth is no reason for a poll, as it was not the last times. */
interface QuietTime {
  readonly untilAt: number;
  readonly durationMs: number;
}

/**
 * One project as the list shows it, and whether that is a reason to poll it soon. Instants are epoch milliseconds by
 * this host's clock; the unknown is undefined.
 */
export class Listing {
  #project: Project;
  /** When the list last showed it. */
  #listedAt: number | undefined;
  /** Growth of `cpu_used_sec` per second between the last two list polls. */
  #cpuRate: number | undefined;
  #changedAt: number | undefined;
  #stopSuspected = false;
  #growth: UnexplainedGrowth | undefined;
  #quiet: QuietTime | undefined;
  /** A start that was found without the list, which has not shown it yet. */
  #unshownStartAt: number | undefined;

  /** @param project as it was last known. */
  constructor(project: Project) {
    this.#project = project;
  }

  get project(): Project {
    return this.#project;
  }

  /** When the list first showed something its last poll does not explain. */
  get changedAt(): number | undefined {
    return this.#changedAt;
  }

  /** Whether the list says that its computes may have stopped. */
  get stopSuspected(): boolean {
    return this.#stopSuspected;
  }

  /** Whether its CPU time grew between the last two list polls. */
  get usesCompute(): boolean {
    return this.#cpuRate !== undefined && this.#cpuRate > 0;
  }

  /**
   * Follows the project in the list.
   *
   * @returns whether there is a reason for a poll that there was not before.
   */
  follow(project: Project, known: KnownState, lag: ListLag, now: number): boolean {
    const diff = diffProject(this.#project, project);
    const elapsedMs = this.#listedAt === undefined ? undefined : now - this.#listedAt;
    const changedBefore = this.#changedAt;
    const suspectedBefore = this.#stopSuspected;
    if (known.busy) this.#followBusy(diff, elapsedMs);
    else if (diff.fields || (diff.growthSec > 0 && this.#isStart(known.restedAt, lag.lagMs, now))) {
      this.#changedAt ??= now;
    }
    if (diff.fields || project.cpu_used_sec !== this.#project.cpu_used_sec) this.#project = project;
    this.#learnShown(diff.growthSec, lag, now);
    if (elapsedMs !== undefined && elapsedMs > 0) this.#cpuRate = (diff.growthSec * 1000) / elapsedMs;
    this.#listedAt = now;
    return changedBefore !== this.#changedAt || suspectedBefore !== this.#stopSuspected;
  }

  /** Takes the project for changed although its fields are not: the list did not show it where it should have. */
  suspectChange(now: number): void {
    this.#changedAt ??= now;
  }

  /** A poll begins that looks into every reason there is. */
  clearReasons(): void {
    this.#changedAt = undefined;
    this.#stopSuspected = false;
  }

  /** Forgets growth from before the first poll, which may have been anything. */
  forgetGrowth(): void {
    this.#growth = undefined;
  }

  /** Learns from a poll where the list was right and where it was wrong. */
  learn({ wasBusy, restedAt, startedAt, news }: PollFindings, lag: ListLag, now: number): void {
    const growth = this.#growth;
    const isAfterCleanRest =
      startedAt !== undefined && (restedAt === undefined || startedAt - restedAt >= cleanRestMs);
    if (isAfterCleanRest && !wasBusy) {
      if (growth !== undefined && growth.seenAt >= startedAt) {
        lag.learn(startedAt, growth.unseenAt, growth.seenAt);
      } else this.#unshownStartAt = startedAt;
    }
    if (news) this.#quiet = undefined;
    else if (!wasBusy && growth !== undefined) {
      const longerMs = 2 * (this.#quiet?.durationMs ?? 0);
      const durationMs = Math.min(Math.max(firstQuietMs, longerMs), longestLagMs);
      this.#quiet = { untilAt: now + durationMs, durationMs };
    }
    this.#growth = undefined;
  }

  #followBusy(diff: ListDiff, elapsedMs: number | undefined): void {
    if (diff.settings) this.#stopSuspected = true;
    else if (elapsedMs !== undefined && this.#cpuRate !== undefined) {
      if (hasSlowed(this.#cpuRate, diff.growthSec, elapsedMs)) this.#stopSuspected = true;
    }
  }

  #isStart(restedAt: number | undefined, lagMs: number, now: number): boolean {
    if (this.#isQuiet(now)) return false;
    const listedAt = this.#listedAt;
    if (listedAt !== undefined && restedAt !== undefined && isAftermath(listedAt, restedAt, lagMs)) {
      return false;
    }
    this.#growth ??= { seenAt: now, unseenAt: listedAt };
    return true;
  }

  /** Further away than it is long, the end was noted before the clock was set back. */
  #isQuiet(now: number): boolean {
    if (this.#quiet === undefined) return false;
    const { untilAt, durationMs } = this.#quiet;
    return now < untilAt && untilAt - now <= durationMs;
  }

  /** The list shows a start that was found without it, or should have long ago. */
  #learnShown(growthSec: number, lag: ListLag, now: number): void {
    const startedAt = this.#unshownStartAt;
    if (startedAt === undefined) return;
    if (growthSec > 0) lag.learn(startedAt, this.#listedAt, now);
    else if (now - startedAt > longestLagMs) lag.learnUnseen();
    else return;
    this.#unshownStartAt = undefined;
  }
}

/** The difference between two listings of a project. */
interface ListDiff {
  /** Growth of `cpu_used_sec`; 0 where it is not told, fell or stayed. */
  readonly growthSec: number;
  /** A field other than `cpu_used_sec` differs, or it is told for the first time or no more. */
  readonly fields: boolean;
  /** A field other than `cpu_used_sec` and `updated_at` differs. */
  readonly settings: boolean;
}

const same: ListDiff = { growthSec: 0, fields: false, settings: false };

/** Compares a project with how the list showed it before, field by field. */
export function diffProject(before: Project, after: Project): ListDiff {
  if (before === after) return same;
  const { cpu_used_sec: cpuBefore, updated_at: updatedBefore } = before;
  const { cpu_used_sec: cpu, updated_at: updated } = after;
  const settings = (cpu === undefined) !== (cpuBefore === undefined) || haveSettingsChanged(before, after);
  if (!settings && updated === updatedBefore && cpu === cpuBefore) return same;
  const growthSec = cpu === undefined || cpuBefore === undefined ? 0 : Math.max(0, cpu - cpuBefore);
  return { growthSec, fields: settings || updated !== updatedBefore, settings };
}

/** Fields that change by themselves or by use, and names of what could not be read: none of them is a setting. */
const movingKeys: ReadonlySet<string> = new Set<keyof Project>([
  ...namesOf(projectItem.fields, ({ moves }) => moves !== undefined),
  'lostFields',
]);

type Fields = Readonly<Record<string, unknown>>;

function haveSettingsChanged(beforeProject: object, afterProject: object): boolean {
  const [before, after] = [beforeProject as Fields, afterProject as Fields];
  for (const key in after) if (before[key] !== after[key] && !movingKeys.has(key)) return true;
  for (const key in before) if (!(key in after) && !movingKeys.has(key)) return true;
  return false;
}

/** The list rounds to whole seconds. */
const roundingSec = 1;
/** Growth below this part of what went before says that some of the time between nothing ran. */
const slowedTo = 0.95;
/** Clocks and dates of operations are good to about two seconds. */
const datingMs = 2_000;
/** Lags scatter: growth is explained by a stop for a little longer than the median. */
const lagSlack = 1.25;

/**
 * Whether a busy project grew much less than before, as if its computes had stopped meanwhile.
 *
 * @param cpuRate CPU seconds a second, before.
 */
function hasSlowed(cpuRate: number, growthSec: number, elapsedMs: number): boolean {
  const expectedSec = (cpuRate * elapsedMs) / 1000;
  return growthSec + roundingSec < expectedSec * slowedTo;
}

/**
 * Whether growth since the last list poll may stem from before a project came to rest, as far behind as the list is.
 *
 * @param listedAt when the list last showed the project, in epoch milliseconds as `restedAt`.
 */
function isAftermath(listedAt: number, restedAt: number, lagMs: number): boolean {
  return listedAt - lagMs * lagSlack <= restedAt + datingMs;
}
