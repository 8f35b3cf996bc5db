import type { AccountView } from '../../resources/account.ts';
import { type CatalogGroup, catalog, projectParts } from '../../resources/catalog.ts';
import { countSamples, type FamilySelection, selectFamilies } from '../../resources/family-selection.ts';
import type { AccountUsage } from '../../resources/usage/view.ts';
import { typicalAccount, typicalKey, typicalMeter, typicalProject, typicalUsage } from './typical-view.ts';

/** How many series each of these adds, as far as things are typical: reported in full, in use for a while, at rest. */
interface SeriesCost {
  readonly account: number;
  /** With one endpoint. */
  readonly project: number;
  /** Each endpoint of a project beyond its first. */
  readonly endpoint: number;
  readonly apiKey: number;
  /** Series that a price book adds to an account and to each of its projects. */
  readonly accountPrices: number;
  readonly projectPrices: number;
}

interface FleetSize {
  readonly accounts?: number;
  readonly projects: number;
  /** On average. */
  readonly endpointsPerProject: number;
  readonly apiKeys?: number;
  /** Whether there is a price book. */
  readonly isPriced?: boolean;
  /** Whether it has a price for something that is metered. */
  readonly isMeterPriced?: boolean;
}

/** How many series the families of these groups have for an account. */
export function countSeries(groups: readonly CatalogGroup[], view: AccountView, use: AccountUsage): number {
  let count = 0;
  for (const group of groups) {
    for (const subject of subjectsOf(group, view, use)) {
      for (const family of Object.values(group.families)) count += countSamples(family, subject);
    }
  }
  return count;
}

function subjectsOf(group: CatalogGroup, view: AccountView, use: AccountUsage): readonly unknown[] {
  switch (group.unit) {
    case 'account':
      return group.subjects(view);
    case 'project':
      return view.projects.flatMap(project => group.subjects(project));
    case 'usage':
      return group.subjects({ accounts: [use], budgets: [] });
  }
}

/**
 * Counts the series that each kind of thing adds to the page under a selection of families.
 *
 * @param isMeterPriced whether something that is metered has a price, where there are prices.
 */
export function weighSeries(selection: FamilySelection, isMeterPriced = false): SeriesCost {
  const isMetered = selection.collectors.includes('consumption');
  const parts = projectParts.filter(({ collector }) => selection.collectors.includes(collector));
  const meter = isMetered && { metered: typicalMeter };
  const project = (endpoints: number) => ({
    ...typicalProject(endpoints),
    ...meter,
    ...Object.fromEntries(parts.map(({ collector, typical }) => [collector, typical])),
  });
  const groups = selectFamilies(catalog, selection);
  const collectors = typicalAccount.collectors.filter(({ collector }) =>
    selection.collectors.includes(collector),
  );
  const bare: AccountView = {
    ...typicalAccount,
    collectors,
    ...meter,
    ...(isMetered && { meteredUntilAt: 0 }),
  };
  const count = (more: Partial<AccountView>, isPriced = false) => {
    const view = { ...bare, ...more };
    const fleet = { projects: view.projects.length, isPriced, isMetered };
    return countSeries(groups, view, typicalUsage({ ...fleet, isMeterPriced: isPriced && isMeterPriced }));
  };
  const account = count({});
  const withProject = count({ projects: [project(1)] });
  const accountPrices = count({}, true) - account;
  return {
    account,
    project: withProject - account,
    endpoint: count({ projects: [project(2)] }) - withProject,
    apiKey: count({ api_keys: [typicalKey] }) - account,
    accountPrices,
    projectPrices: count({ projects: [project(1)] }, true) - withProject - accountPrices,
  };
}

/** How many series a fleet of this size has; those of the exporter about itself are not among them. */
export function estimateSeries(
  { accounts = 1, projects, endpointsPerProject, apiKeys = 0, isPriced = false, isMeterPriced }: FleetSize,
  selection: FamilySelection,
): number {
  const cost = weighSeries(selection, isMeterPriced);
  const perAccount = cost.account + (isPriced ? cost.accountPrices : 0);
  const perProject =
    cost.project + (endpointsPerProject - 1) * cost.endpoint + (isPriced ? cost.projectPrices : 0);
  return Math.round(accounts * perAccount + projects * perProject + apiKeys * cost.apiKey);
}
