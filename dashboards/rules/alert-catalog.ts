import { accountAlerts } from './account-alert.ts';
import type { Alert } from './alert.ts';
import { apiKeyAlerts } from './api-key-alert.ts';
import { endpointAlerts } from './endpoint-alert.ts';
import { exporterAlerts } from './exporter-alert.ts';
import { operationAlerts } from './operation-alert.ts';
import { projectAlerts } from './project-alert.ts';

/** Every alert by rule group; a new one is a row in the file of its group and a section in the runbook. */
export const alertGroups: Readonly<Record<string, readonly Alert[]>> = {
  exporter: exporterAlerts,
  account: accountAlerts,
  operations: operationAlerts,
  endpoints: endpointAlerts,
  projects: projectAlerts,
  'api-keys': apiKeyAlerts,
};

export const alerts: readonly Alert[] = Object.values(alertGroups).flat();
