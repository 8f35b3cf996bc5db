import { asFields } from './field.ts';

/** Fields of projects in the list that only later versions of the API have. */
const laterFields = [
  'active_time',
  'synthetic_storage_size',
  'branch_logical_size_limit_bytes',
  'history_retention_seconds',
  'compute_last_active_at',
  'quota_reset_at',
  'org_id',
  'owner_id',
] as const;

/** Whether a project of the list shows that the service is of a later version, which may meter consumption. */
export function showsLaterVersion(item: unknown): boolean {
  const fields = asFields(item);
  return fields !== undefined && laterFields.some(field => fields[field] !== undefined);
}
