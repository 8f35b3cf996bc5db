import { namesOf } from '../../../resources/declared-field.ts';
import { type Project, projectItem } from '../../../resources/project.ts';

/** The difference between two listings of a project. */
export interface ListDiff {
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
export function hasSlowed(cpuRate: number, growthSec: number, elapsedMs: number): boolean {
  const expectedSec = (cpuRate * elapsedMs) / 1000;
  return growthSec + roundingSec < expectedSec * slowedTo;
}

/**
 * Whether growth since the last list poll may stem from before a project came to rest, as far behind as the list is.
 *
 * @param listedAt when the list last showed the project, in epoch milliseconds as `restedAt`.
 */
export function isAftermath(listedAt: number, restedAt: number, lagMs: number): boolean {
  return listedAt - lagMs * lagSlack <= restedAt + datingMs;
}
