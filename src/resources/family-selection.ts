import type { Collector } from './collector.ts';
import type { Family, FamilyGroup } from './family.ts';
import { matchesGlob } from './glob.ts';

export const seriesModes = ['full', 'compact'] as const;
export type SeriesMode = (typeof seriesModes)[number];

/** The choice of families that are shown. */
export interface FamilySelection {
  readonly mode: SeriesMode;
  /** Globs on names of metrics that are left out. */
  readonly exclude: readonly string[];
  /** The collectors that are on: families that none of them feeds are left out. */
  readonly collectors: readonly Collector[];
}

/** The properties of a group that decide which of its families are shown. */
type FamilyHolder = Pick<FamilyGroup<never, unknown>, 'families' | 'fedBy'>;

/** The families that are shown, in the groups and the order they have, each sampled as the mode wants it. */
export function selectFamilies<Group extends FamilyHolder>(
  groups: readonly Group[],
  { mode, exclude, collectors }: FamilySelection,
): readonly Group[] {
  const isShown = (family: Family<unknown>, group: Group) => {
    const isFed = ({ fedBy }: Pick<FamilyHolder, 'fedBy'>) =>
      fedBy === undefined || fedBy.some(collector => collectors.includes(collector));
    return isFed(group) && isFed(family) && !exclude.some(glob => matchesGlob(glob, family.name));
  };
  const shown = groups.map(group => keepFamilies(group, family => isShown(family, group)));
  const selected = mode === 'full' ? shown : compactGroups(shown);
  return selected.filter(({ families }) => Object.keys(families).length > 0);
}

/** A group with some of its families. */
export function keepFamilies<Group extends FamilyHolder>(
  group: Group,
  isKept: (family: Family<unknown>) => boolean,
): Group {
  const kept = Object.entries(group.families).filter(([, family]) => isKept(family));
  return { ...group, families: Object.fromEntries(kept) };
}

function compactGroups<Group extends FamilyHolder>(groups: readonly Group[]): readonly Group[] {
  const names = new Set(listFamilyNames(groups));
  return groups.map(group => {
    const families = Object.entries(group.families)
      .filter(([, { whenCompact }]) => whenCompact !== 'omit')
      .map(([key, family]) => [key, compactFamily(family, names)] as const);
    return { ...group, families: Object.fromEntries(families) };
  });
}

function compactFamily(family: Family<unknown>, names: ReadonlySet<string>): Family<unknown> {
  const { whenCompact } = family;
  if (whenCompact === undefined || whenCompact === 'omit') return family;
  if (whenCompact.given !== undefined && !names.has(whenCompact.given)) return family;
  // A family and what it is when compact are declared together, over the same subjects and values.
  return { ...family, sample: whenCompact.sample } as Family<unknown>;
}

/** The names of all families of some groups, in their order. */
export function listFamilyNames(groups: readonly FamilyHolder[]): readonly string[] {
  return groups.flatMap(({ families }) => Object.values(families).map(({ name }) => name));
}

/** Collectors that are on although without them the very same metrics were shown. */
export function findIdleCollectors(
  groups: readonly FamilyHolder[],
  selection: FamilySelection,
): readonly Collector[] {
  const count = (collectors: readonly Collector[]) =>
    listFamilyNames(selectFamilies(groups, { ...selection, collectors })).length;
  const shown = count(selection.collectors);
  return selection.collectors.filter(
    collector =>
      collector !== 'projects' && count(selection.collectors.filter(other => other !== collector)) === shown,
  );
}

/** How many samples a family has of a subject. */
export function countSamples(family: Family<unknown>, subject: unknown): number {
  let count = 0;
  // A histogram has a series for each bucket, the one without a bound, the sum and the count.
  const each = family.type === 'histogram' ? family.buckets.length + 3 : 1;
  family.sample(subject, value => {
    if (value !== undefined) count += each;
  });
  return count;
}
