/** Labels that say whose a sample is, from the outermost on; the families' own labels follow. */
export const accountLabels = ['account'] as const;
export const projectLabels = ['account', 'project_id'] as const;
export const endpointLabels = ['account', 'project_id', 'endpoint_id'] as const;
export const apiKeyLabels = ['account', 'key_id'] as const;
export const groupLabels = ['account', 'grouping', 'group'] as const;
export const endpointFindingLabels = ['account', 'project_id', 'endpoint_id', 'finding'] as const;
export const projectFindingLabels = ['account', 'project_id', 'finding'] as const;
/** Budgets reach over accounts: their names are their own. */
export const budgetLabels = ['budget'] as const;
