import {
  declareItem,
  type ItemOf,
  later,
  laterIdentifier,
  laterText,
  specified,
  vital,
} from './declared-field.ts';
import { apiKeyLabels, bit, declareFor, seconds } from './family.ts';
import { asInstant, asText, asUseInstant } from './field.ts';
import type { ListDefinition } from './list-definition.ts';

/** What is remembered of people is rewritten in SQL. */
const isColumn = { isColumn: true } as const;

/** Somebody's picture answers no question, and is not read. */
export const apiKeyItem = declareItem('key_id', {
  key_name: specified('name', asText),
  created_at: vital('created_at', asInstant),
  last_used_at: vital('last_used_at', asUseInstant),
  last_used_from_addr: specified('last_used_from_addr', value => firstHop(asText(value))),
  created_by_id: later('created_by.id', laterIdentifier, isColumn),
  created_by_name: later('created_by.name', laterText, isColumn),
});

/** An API key as the list of keys reports it (never its value); instants in epoch milliseconds. */
export type ApiKey = ItemOf<typeof apiKeyItem>;

/** Behind proxies the address is a chain, `client,proxy,proxy`: the first hop is the client. */
function firstHop(address: string | undefined): string | undefined {
  return address?.split(',')[0]?.trim() || undefined;
}

interface KeyUse {
  readonly last_used_at?: number | null;
  readonly last_used_from_addr?: string | null;
}

/** Whether a key was used at a time that is not known: one that was never used has no address (live services). */
export function isUseUndated({ last_used_at = null, last_used_from_addr }: KeyUse): boolean {
  return last_used_at === null && Boolean(last_used_from_addr);
}

/** Since when a key is idle: its last use, or its creation where it was never used; undefined where that is not known. */
export function idleSinceOf(key: KeyUse & { readonly created_at?: number | null }): number | undefined {
  return key.last_used_at ?? (isUseUndated(key) ? undefined : (key.created_at ?? undefined));
}

export const apiKeyList: ListDefinition<ApiKey> = {
  route: '/api_keys',
  decode: apiKeyItem.decode,
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

const { gauge, gaugeBy, counter } = declareFor<ApiKeyView>()(apiKeyLabels);

export const apiKeyFamilies = {
  info: gaugeBy('dbpm_api_key_info', 'An API key of the account, with its name.', ['key_name'], (key, emit) =>
    emit(1, key.key_name ?? ''),
  ),
  createdTimestamp: gauge('dbpm_api_key_created_timestamp_seconds', 'When the API key was created.', key =>
    seconds(key.created_at),
  ),
  lastUsedTimestamp: gauge(
    'dbpm_api_key_last_used_timestamp_seconds',
    'When the API key was last used; absent if never (polled).',
    key => seconds(key.last_used_at),
  ),
  idleSinceTimestamp: gauge(
    'dbpm_api_key_idle_since_timestamp_seconds',
    'Since when the API key has been idle: its last use or else its creation (polled).',
    key => seconds(key.idleSinceAt),
  ),
  stale: gauge(
    'dbpm_api_key_stale',
    'Whether the API key has been unused for longer than keys.stale_after (polled).',
    key => bit(key.stale),
  ),
  sourceAddressChanges: counter(
    'dbpm_api_key_source_address_changes_total',
    'How often the API key was found to be used from another address than before (polled).',
    key => key.sourceAddressChanges,
  ),
};

/** How personal data of API keys, addresses and people, are remembered. */
export const personalDataModes = ['plain', 'hashed', 'none'] as const;
export type PersonalDataMode = (typeof personalDataModes)[number];
