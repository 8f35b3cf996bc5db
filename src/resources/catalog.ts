import { type AccountView, accountGroup } from './account.ts';
import { apiKeyGroup, apiKeyList } from './api-key.ts';
import { endpointGroup, endpointList } from './endpoint.ts';
import type { FamilyGroup } from './family.ts';
import { operationDurationGroup, operationGroup, operationList, operationRoute } from './operation.ts';
import { projectGroup, projectList } from './project.ts';

/** Every resource that is watched; a new one is a file of its own and a line here. */
export const catalog: readonly FamilyGroup<AccountView, unknown>[] = [
  accountGroup,
  projectGroup,
  endpointGroup,
  operationGroup,
  operationDurationGroup,
  apiKeyGroup,
];

/** Everything that is asked of the service, as `route` labels. */
export const requestRoutes = [
  projectList.route,
  apiKeyList.route,
  endpointList.route,
  operationList.route,
  operationRoute,
];
