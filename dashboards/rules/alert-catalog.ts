import { accountAlerts } from './account-alert.ts';
import type { Alert } from './alert.ts';
import { apiKeyAlerts } from './api-key-alert.ts';
import { budgetAlerts } from './budget-alert.ts';
import { burnRateAlerts } from './burn-rate-alert.ts';
import { collectorAlerts } from './collector-alert.ts';
import { endpointSleepAlerts } from './endpoint-sleep-alert.ts';
import { endpointStateAlerts } from './endpoint-state-alert.ts';
import { exporterAlerts } from './exporter-alert.ts';
import { findingAlerts } from './finding-alert.ts';
import { historyAlerts } from './history-alert.ts';
import { ledgerAlerts } from './ledger-alert.ts';
import { operationAgeAlerts } from './operation-age-alert.ts';
import { operationFailureAlerts } from './operation-failure-alert.ts';
import { projectAlerts } from './project-alert.ts';
import { projectQuotaAlerts } from './project-quota-alert.ts';
import { shardAlerts } from './shard-alert.ts';
import { spendingAlerts } from './spending-alert.ts';
import { unusualMeterAlerts } from './unusual-meter-alert.ts';
import { usageAlerts } from './usage-alert.ts';

/** Every alert by rule group; a new one is a row in the file of its group and a section in the runbook. */
export const alertGroups: Readonly<Record<string, readonly Alert[]>> = {
  exporter: [...exporterAlerts, ...historyAlerts, ...shardAlerts],
  account: [...accountAlerts, ...collectorAlerts, ...budgetAlerts],
  operations: [...operationFailureAlerts, ...operationAgeAlerts],
  endpoints: [...endpointSleepAlerts, ...endpointStateAlerts],
  projects: [...projectAlerts, ...projectQuotaAlerts],
  'api-keys': apiKeyAlerts,
  spending: [...spendingAlerts, ...burnRateAlerts],
  usage: [...usageAlerts, ...ledgerAlerts, ...unusualMeterAlerts, ...findingAlerts],
};

export const alerts: readonly Alert[] = Object.values(alertGroups).flat();
