import type { AccountView } from './account.ts';
import { type CatalogGroup, catalog } from './catalog.ts';
import { type FamilySelection, selectFamilies } from './family-selection.ts';
import { countSamples } from './sample-count.ts';
import { typicalAccount, typicalKey, typicalProject } from './typical-view.ts';

/** How many series each of these adds, as far as things are typical: reported in full, in use for a while, at rest. */
export interface SeriesCost {
  readonly account: number;
  /** With one endpoint. */
  readonly project: number;
  /** Each endpoint of a project beyond its first. */
  readonly endpoint: number;
  readonly apiKey: number;
}

export interface FleetSize {
  readonly accounts?: number;
  readonly projects: number;
  /** On average. */
  readonly endpointsPerProject: number;
  readonly apiKeys?: number;
}

/** How many series the families of these groups have for an account. */
export function countSeries(groups: readonly CatalogGroup[], view: AccountView): number {
  let count = 0;
  for (const group of groups) {
    const subjects =
      group.unit === 'account'
        ? group.subjects(view)
        : view.projects.flatMap(project => group.subjects(project));
    for (const subject of subjects) {
      for (const family of Object.values(group.families)) count += countSamples(family, subject);
    }
  }
  return count;
}

export function weighSeries(selection: FamilySelection): SeriesCost {
  const groups = selectFamilies(catalog, selection);
  const collectors = typicalAccount.collectors.filter(({ collector }) =>
    selection.collectors.includes(collector),
  );
  const bare: AccountView = { ...typicalAccount, collectors };
  const count = (more: Partial<AccountView>) => countSeries(groups, { ...bare, ...more });
  const account = count({});
  const withProject = count({ projects: [typicalProject(1)] });
  return {
    account,
    project: withProject - account,
    endpoint: count({ projects: [typicalProject(2)] }) - withProject,
    apiKey: count({ api_keys: [typicalKey] }) - account,
  };
}

/** How many series a fleet of this size has; those of the exporter about itself are not among them. */
export function estimateSeries(
  { accounts = 1, projects, endpointsPerProject, apiKeys = 0 }: FleetSize,
  selection: FamilySelection,
): number {
  const cost = weighSeries(selection);
  const perProject = cost.project + (endpointsPerProject - 1) * cost.endpoint;
  return Math.round(accounts * cost.account + projects * perProject + apiKeys * cost.apiKey);
}
