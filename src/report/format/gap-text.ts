import {
  type Amount,
  addAmounts,
  amountOfUse,
  currencyDecimals,
  noAmount,
  showAtMost,
} from '../../cost/money/money.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { ProjectGap } from '../gap.ts';
import { hourDecimals } from './hour-text.ts';
import type { Report, ReportSpan } from './report.ts';
import { onOneLine, showInstant } from './shown-cell.ts';
import { writeInstant } from './value-kind.ts';

/** Sentences on gaps, and whether they are of time as long as usually lies between two readings. */
interface GapSentences {
  readonly gaps: readonly string[];
  readonly notes: readonly string[];
}

/** How a gap is told of: that a project moved is no kind of its own to programs. */
type GapKind = ProjectGap['kind'] | 'project_moved';

function kindOf({ kind, movedTo }: ProjectGap): GapKind {
  return movedTo === undefined ? kind : 'project_moved';
}

/** Gaps of a kind that have a sentence of their own; one more tells of all others. */
const namedGaps = 5;

const phrases = {
  counter_reset: {
    one: (name: string) => `The counter of ${name} was reset while it was not read`,
    others: (count: string) => `The counters of ${count} were reset while they were not read`,
  },
  project_deleted: {
    one: (name: string) => `P${name.slice(1)} was deleted after it was last read`,
    others: (count: string) => `${count} were deleted after they were last read`,
  },
  project_moved: {
    one: (name: string, account = '') =>
      `P${name.slice(1)} moved to account ${onOneLine(account)} after it was last read`,
    others: (count: string) => `${count} moved to another account after they were last read`,
  },
} as const satisfies Readonly<Record<GapKind, unknown>>;

/**
 * Says for which projects use is not known, when, and how much it can be at most.
 *
 * @param gaps the largest first.
 */
export function describeGaps(
  gaps: readonly ProjectGap[],
  { timezone }: Pick<ReportSpan, 'timezone'>,
  currency?: string,
): GapSentences {
  // Use that the other account counts is not missing.
  const isNote = ({ isShort, movedTo }: ProjectGap) => isShort || movedTo !== undefined;
  const describe = (asNote: boolean) => {
    const meant = gaps.filter(gap => isNote(gap) === asNote);
    return (['counter_reset', 'project_deleted', 'project_moved'] as const).flatMap(kind => {
      const ofKind = meant.filter(gap => kindOf(gap) === kind);
      const others = ofKind.slice(namedGaps);
      return [
        ...ofKind.slice(0, namedGaps).map(gap => describeOne(gap, timezone, currency)),
        ...(others.length > 0 ? [describeOthers(kind, others, timezone, currency)] : []),
      ];
    });
  };
  return { gaps: describe(false), notes: describe(true) };
}

/** A gap for programs, with what it can be at most: null where nothing bounds its hours, and without money where there is none. */
export function writeGap(gap: ProjectGap, currency?: string): NonNullable<Report['unknownUse']>[number] {
  const { kind, project, fromAt, untilAt, mostCuMs, mostMoney, movedTo } = gap;
  const { account, project_id, project_name } = project;
  return {
    ...{ kind, account, project_id, ...(project_name !== undefined && { project_name }) },
    ...{ from: writeInstant(fromAt), until: writeInstant(untilAt) },
    compute_hours_at_most: mostCuMs === undefined ? null : showAtMost(amountOfUse(mostCuMs), hourDecimals),
    ...(mostMoney && currency && { cost_at_most: showAtMost(mostMoney, currencyDecimals(currency)) }),
    ...(movedTo !== undefined && { moved_to: movedTo }),
  };
}

function describeOne(gap: ProjectGap, timezone: string, currency?: string): string {
  const lead = phrases[kindOf(gap)].one(nameOf(gap.project), gap.movedTo);
  const span = `between ${showInstant(gap.fromAt, timezone)} and ${showInstant(gap.untilAt, timezone)}`;
  return `${lead}: what it used ${span} ${describeUse([gap], currency)}.`;
}

function describeOthers(
  kind: GapKind,
  gaps: readonly ProjectGap[],
  timezone: string,
  currency?: string,
): string {
  const lead = phrases[kind].others(`${gaps.length} more project${gaps.length === 1 ? '' : 's'}`);
  const fromAt = gaps.reduce((least, gap) => Math.min(least, gap.fromAt), Number.POSITIVE_INFINITY);
  const untilAt = gaps.reduce((most, gap) => Math.max(most, gap.untilAt), 0);
  const span = `between ${showInstant(fromAt, timezone)} and ${showInstant(untilAt, timezone)}`;
  return `${lead}: what they used just before, ${span}, ${describeUse(gaps, currency)} together.`;
}

/** Whether the use in gaps is in no count or, of projects that moved, in the one that went on in the other account. */
function describeUse(gaps: readonly ProjectGap[], currency?: string): string {
  const most = describeMost(gaps, currency);
  if (gaps.some(({ movedTo }) => movedTo === undefined)) return `is not known, ${most}`;
  return gaps.some(({ mostCuMs }) => mostCuMs === undefined)
    ? 'is counted there'
    : `is counted there, ${most}`;
}

/** Such as `at most 12.62 compute hours, 2.02 USD`. */
function describeMost(gaps: readonly ProjectGap[], currency?: string): string {
  const uses = gaps.map(({ mostCuMs }) => mostCuMs);
  if (uses.includes(undefined)) return 'nor how much at most';
  const use = uses.reduce<number>((sum, cuMs = 0) => sum + cuMs, 0);
  const money = gaps.reduce<Amount | undefined>(
    (sum, { mostMoney }) => sum && mostMoney && addAmounts(sum, mostMoney),
    noAmount,
  );
  const hours = `at most ${showAtMost(amountOfUse(use), hourDecimals)} compute hours`;
  return money === undefined || currency === undefined
    ? hours
    : `${hours}, ${showAtMost(money, currencyDecimals(currency))} ${currency}`;
}

function nameOf({ account, project_id, project_name }: UsageProject): string {
  const named = project_name === undefined ? project_id : `${project_name} (${project_id})`;
  return onOneLine(`project ${named} of account ${account}`);
}
