/** Labels that say whose a sample is, from the outermost on; the families' own labels follow. */
export const accountLabels = ['account'] as const;
export const projectLabels = ['account', 'project_id'] as const;
export const endpointLabels = ['account', 'project_id', 'endpoint_id'] as const;
export const apiKeyLabels = ['account', 'key_id'] as const;
