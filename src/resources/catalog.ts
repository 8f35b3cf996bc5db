import { accountGroup } from './account.ts';
import { apiKeyGroup } from './api-key.ts';
import { endpointGroup } from './endpoint.ts';
import { operationDurationGroup, operationGroup } from './operation.ts';
import { projectGroup } from './project.ts';

/** Every resource that is watched; a new one is a file of its own and a line here. */
export const catalog = [
  accountGroup,
  projectGroup,
  endpointGroup,
  operationGroup,
  operationDurationGroup,
  apiKeyGroup,
] as const;
