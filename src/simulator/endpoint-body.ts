import { readFlag, readNumber, readObject, readText, required } from './field.ts';
import type { EndpointChange } from './model/compute-rule.ts';
import { Refusal } from './model/refusal.ts';
import type { BodyFields } from './request-body.ts';

export interface EndpointRequest {
  readonly branchId: string | undefined;
  readonly change: EndpointChange;
}

/**
 * Reads `{ endpoint: … }` of a create or update. The specification does not show how attributes other than branch_id
 * and type are called: they have the names of the response fields here. Throws a 400 `Refusal`.
 */
export function readEndpointRequest(body: BodyFields): EndpointRequest {
  const endpoint = required(readObject(body, 'endpoint'), 'endpoint');
  const type = readText(endpoint, 'type');
  if (type !== undefined && type !== 'read_write') {
    throw new Refusal(400, `type must be read_write, the only one that is supported, not ${type}`);
  }
  const settings = readObject(endpoint, 'settings');
  const change = {
    minCu: readNumber(endpoint, 'autoscaling_limit_min_cu'),
    maxCu: readNumber(endpoint, 'autoscaling_limit_max_cu'),
    suspendTimeoutSeconds: readNumber(endpoint, 'suspend_timeout_seconds'),
    disabled: readFlag(endpoint, 'disabled'),
    poolerEnabled: readFlag(endpoint, 'pooler_enabled'),
    poolerMode: readText(endpoint, 'pooler_mode'),
    passwordlessAccess: readFlag(endpoint, 'passwordless_access'),
    pgSettings: settings && readObject(settings, 'pg_settings'),
  };
  return { branchId: readText(endpoint, 'branch_id'), change: withoutAbsent(change) };
}

function withoutAbsent(
  change: { [K in keyof EndpointChange]: EndpointChange[K] | undefined },
): EndpointChange {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
