import {
  type Format,
  renderHeader,
  renderHistogram,
  renderLabels,
  renderSample,
} from '../../src/metrics/page/exposition.ts';
import type { AccountSummary } from '../../src/resources/account.ts';
import type { CatalogGroup } from '../../src/resources/catalog.ts';
import type { Family } from '../../src/resources/family.ts';
import type { ProjectView } from '../../src/resources/project.ts';
import type { UsageView } from '../../src/resources/usage/view.ts';

/** A page in both formats, without an end mark. */
export type Page = Readonly<Record<Format, string>>;

/** What stands on a page, in its order. */
export interface PageUnits {
  readonly accounts: readonly AccountSummary[];
  readonly projects: readonly ProjectView[];
  readonly usage?: UsageView | undefined;
}

/**
 * The page from scratch, in the plainest way there is: what the exporter serves has to be the same.
 *
 * @param limit the most lines each family may have: what does not fit as a whole is left out with all that follows.
 */
export function renderPage(
  groups: readonly CatalogGroup[],
  units: PageUnits,
  limit = Number.POSITIVE_INFINITY,
): Page {
  const render = (format: Format) =>
    groups
      .flatMap(group => {
        const subjects = subjectsOf(group, units);
        return Object.values(group.families).map(family => {
          const lines = keepWithin(limit, renderSubjects(group, family, subjects));
          return family.isOptional && lines === '' ? '' : renderHeader(family, format) + lines;
        });
      })
      .join('');
  return { text: render('text'), openmetrics: render('openmetrics') };
}

/** What has samples of its own in a group. */
export function subjectsOf(
  group: CatalogGroup,
  { accounts, projects, usage }: PageUnits,
): readonly unknown[] {
  switch (group.unit) {
    case 'account':
      return accounts.flatMap(account => group.subjects(account));
    case 'project':
      return projects.flatMap(project => group.subjects(project));
    case 'usage':
      return usage === undefined ? [] : group.subjects(usage);
  }
}

function keepWithin(limit: number, subjects: readonly string[]): string {
  let kept = '';
  for (const lines of subjects) {
    if ((kept + lines).split('\n').length - 1 > limit) return kept;
    kept += lines;
  }
  return kept;
}

function renderSubjects(
  group: CatalogGroup,
  family: Family<unknown>,
  subjects: readonly unknown[],
): readonly string[] {
  return subjects.map(subject => {
    const lines: string[] = [];
    const join = (own: readonly string[]) =>
      renderLabels(family.labels, [...group.labelValues(subject), ...own]);
    if (family.type === 'histogram') {
      family.sample(subject, (value, ...own) => {
        if (value) lines.push(renderHistogram(family.name, join(own), family.buckets, value));
      });
    } else {
      family.sample(subject, (value, ...own) => {
        if (value !== undefined) lines.push(renderSample(family.name, join(own), value));
      });
    }
    return lines.join('');
  });
}
