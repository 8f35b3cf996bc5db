import type { ApiKeyView } from '../../resources/api-key.ts';
import { compact } from '../../resources/field.ts';
import type { StoredKey } from './key-query.ts';

/**
 * The view of an API key, without what it tells of people: who made it, and from where it was used.
 *
 * @param staleBeforeAt a key not used since then is stale; epoch milliseconds by the service's clock.
 */
export function viewKey(account: string, key: StoredKey, staleBeforeAt: number): ApiKeyView {
  const idleSinceAt = key.last_used_at ?? key.created_at;
  const { last_used_from_addr, created_by_id, created_by_name, ...shown } = key;
  return {
    ...shown,
    account,
    ...compact({ idleSinceAt, stale: idleSinceAt === undefined ? undefined : idleSinceAt < staleBeforeAt }),
  };
}
