import { bit, declareFor, seconds } from './family.ts';
import { asFields, asIdentifier, asInstant, asText, asUseInstant, compact } from './field.ts';
import type { ListDefinition } from './list-definition.ts';
import { optional, optionalIdentifier, optionalText, withOptional } from './optional-field.ts';
import { apiKeyLabels } from './scope-label.ts';

/** An API key as the list of keys reports it (never its value); instants in epoch milliseconds. */
export type ApiKey = NonNullable<ReturnType<typeof decodeApiKey>>;

/** Somebody's picture answers no question, and is not read. */
const optionalFields = {
  created_by_id: optional('created_by.id', optionalIdentifier),
  created_by_name: optional('created_by.name', optionalText),
};

function decodeApiKey(item: unknown) {
  const fields = asFields(item);
  const key_id = asIdentifier(fields?.id);
  if (fields === undefined || key_id === undefined) return undefined;
  const key = compact({
    key_id,
    key_name: asText(fields.name),
    created_at: asInstant(fields.created_at),
    last_used_at: asUseInstant(fields.last_used_at),
    last_used_from_addr: firstHop(asText(fields.last_used_from_addr)),
  });
  return withOptional(key, fields, optionalFields);
}

/** Behind proxies the address is a chain, `client,proxy,proxy`: the first hop is the client. */
function firstHop(address: string | undefined): string | undefined {
  return address?.split(',')[0]?.trim() || undefined;
}

export const apiKeyList: ListDefinition<ApiKey> = {
  route: '/api_keys',
  decode: decodeApiKey,
  identify: key => key.key_id,
};

/** An API key with its remembered history. */
export interface ApiKeyView extends Pick<ApiKey, 'key_id' | 'key_name' | 'created_at' | 'last_used_at'> {
  readonly account: string;
  /** Last use, or creation if never used. */
  readonly idleSinceAt?: number;
  /** Unused longer than `keys.stale_after`. */
  readonly stale?: boolean;
  readonly sourceAddressChanges: number;
}

const { gauge, counter } = declareFor<ApiKeyView>()(apiKeyLabels);

export const apiKeyFamilies = {
  info: gauge('dbpm_api_key_info', 'An API key of the account, with its name.', ['key_name'], (key, emit) =>
    emit(1, key.key_name ?? ''),
  ),
  createdTimestamp: gauge(
    'dbpm_api_key_created_timestamp_seconds',
    'When the API key was created.',
    [],
    (key, emit) => emit(seconds(key.created_at)),
  ),
  lastUsedTimestamp: gauge(
    'dbpm_api_key_last_used_timestamp_seconds',
    'When the API key was last used; absent if never (polled).',
    [],
    (key, emit) => emit(seconds(key.last_used_at)),
  ),
  idleSinceTimestamp: gauge(
    'dbpm_api_key_idle_since_timestamp_seconds',
    'Since when the API key has been idle: its last use, or its creation if it was never used (polled).',
    [],
    (key, emit) => emit(seconds(key.idleSinceAt)),
  ),
  stale: gauge(
    'dbpm_api_key_stale',
    'Whether the API key has been unused for longer than keys.stale_after (polled).',
    [],
    (key, emit) => emit(bit(key.stale)),
  ),
  sourceAddressChanges: counter(
    'dbpm_api_key_source_address_changes_total',
    'How often the API key was found to be used from another address than before (polled).',
    [],
    (key, emit) => emit(key.sourceAddressChanges),
  ),
};
