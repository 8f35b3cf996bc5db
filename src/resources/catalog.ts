import { type AccountSummary, accountFamilies } from './account.ts';
import { type ApiKeyView, apiKeyFamilies, apiKeyList } from './api-key.ts';
import { branchPart } from './branch.ts';
import { type Collector, type PartCollector, partCollectors } from './collector.ts';
import { consumptionList } from './consumption.ts';
import { type EndpointView, endpointFamilies, endpointList } from './endpoint.ts';
import {
  apiKeyLabels,
  endpointLabels,
  type FamilyGroup,
  type LabelScope,
  ofAccount,
  ofProject,
} from './family.ts';
import { laterProjectFamilies } from './later-project.ts';
import { accountMeterFamilies, projectMeterFamilies } from './metered.ts';
import { operationDurationFamilies, operationFamilies, operationList, operationRoute } from './operation.ts';
import { type ProjectView, projectFamilies, projectList } from './project.ts';
import type { AnyProjectPart } from './project-part.ts';
import { type UsageGroup, usageGroups } from './usage/catalog.ts';

/** The families of a resource, over all accounts, all projects or all usage: things that change together are a unit. */
export type CatalogGroup =
  | (FamilyGroup<AccountSummary, unknown> & { readonly unit: 'account' })
  | (FamilyGroup<ProjectView, unknown> & { readonly unit: 'project' })
  | UsageGroup;

type AccountScope<Subject> = LabelScope<AccountSummary, Subject> & { readonly unit: 'account' };
type ProjectScope<Subject> = LabelScope<ProjectView, Subject> & { readonly unit: 'project' };

const perAccount: AccountScope<AccountSummary> = {
  ...{ unit: 'account', ...ofAccount },
  subjects: account => [account],
};

const perApiKey: AccountScope<ApiKeyView> = {
  unit: 'account',
  labels: apiKeyLabels,
  labelValues: key => [key.account, key.key_id],
  subjects: account => account.api_keys,
};

const perProject: ProjectScope<ProjectView> = {
  ...{ unit: 'project', ...ofProject },
  subjects: project => [project],
};

const perEndpoint: ProjectScope<EndpointView> = {
  unit: 'project',
  labels: endpointLabels,
  labelValues: endpoint => [endpoint.account, endpoint.project_id, endpoint.endpoint_id],
  subjects: project => project.endpoints,
};

/** The resources that each project has a list of, which is read by itself; a new one is a file of its own and a line here. */
export const projectParts: readonly AnyProjectPart[] = [branchPart];

/** Every resource that is watched; a new one is a file of its own and a line here. */
export const catalog: readonly CatalogGroup[] = [
  { ...perAccount, families: accountFamilies },
  { ...perProject, families: projectFamilies },
  { ...perProject, families: laterProjectFamilies },
  { ...perEndpoint, families: endpointFamilies, fedBy: ['endpoints'] },
  { ...perProject, families: operationFamilies, fedBy: ['operations'] },
  { ...perAccount, families: operationDurationFamilies, fedBy: ['operations'] },
  { ...perAccount, families: accountMeterFamilies, fedBy: ['consumption'] },
  { ...perProject, families: projectMeterFamilies, fedBy: ['consumption'] },
  ...projectParts.map(({ collector, families }) => ({ ...perProject, families, fedBy: [collector] })),
  { ...perApiKey, families: apiKeyFamilies, fedBy: ['api_keys'] },
  ...usageGroups,
];

const routes: Readonly<Record<Exclude<Collector, PartCollector>, readonly string[]>> = {
  projects: [projectList.route],
  endpoints: [endpointList.route],
  operations: [operationList.route, operationRoute],
  api_keys: [apiKeyList.route],
  consumption: [consumptionList('hourly').route],
};

/** The requests that these collectors make, as `route` labels. */
export function listRoutes(enabled: readonly Collector[]): readonly string[] {
  return enabled.flatMap(collector => (isOfPart(collector) ? routeOfPart(collector) : routes[collector]));
}

function isOfPart(collector: Collector): collector is PartCollector {
  return partCollectors.some(each => each === collector);
}

function routeOfPart(collector: PartCollector): readonly string[] {
  return projectParts.filter(part => part.collector === collector).map(({ list }) => list.route);
}
