import type { AccountView } from '../../src/resources/account.ts';
import type { EndpointView } from '../../src/resources/endpoint.ts';
import type { ProjectView } from '../../src/resources/project.ts';

/** An account that is known by its name alone. */
export const bareAccount: AccountView = {
  account: 'main',
  collectors: [],
  operationDurations: [],
  projects: [],
  api_keys: [],
};

/** An account with the project `p`. */
export function withProject(project: Partial<ProjectView>): AccountView {
  return { ...bareAccount, projects: [{ account: 'main', project_id: 'p', endpoints: [], ...project }] };
}

/** An account with the endpoint `e` of the project `p`. */
export function withEndpoint(endpoint: Partial<EndpointView>): AccountView {
  const bareEndpoint = { account: 'main', project_id: 'p', endpoint_id: 'e' };
  return withProject({ endpoints: [{ ...bareEndpoint, ...endpoint }] });
}

/** An account with a project `p` whose operations are known. */
export function withOperations(operations: Partial<NonNullable<ProjectView['operations']>>): AccountView {
  return withProject({ operations: { ended: [], attemptFailures: [], inProgress: [], ...operations } });
}
