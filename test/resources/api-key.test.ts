import { describe, expect, test } from 'vitest';
import { linesOf } from '../support/sample-line.ts';
import { bareAccount } from '../support/view-builder.ts';

describe('an API key', () => {
  test('never used is idle since its creation and has no last use', () => {
    const key = {
      account: 'main',
      key_id: '7',
      key_name: 'ci',
      created_at: 5000,
      idleSinceAt: 5000,
      stale: true,
      sourceAddressChanges: 0,
    };
    expect(linesOf({ ...bareAccount, api_keys: [key] }, 'dbpm_api_key')).toEqual([
      'dbpm_api_key_info{key_id="7",key_name="ci"} 1',
      'dbpm_api_key_created_timestamp_seconds{key_id="7"} 5',
      'dbpm_api_key_idle_since_timestamp_seconds{key_id="7"} 5',
      'dbpm_api_key_stale{key_id="7"} 1',
      'dbpm_api_key_source_address_changes_total{key_id="7"} 0',
    ]);
  });

  test('whose creation is not reported says nothing of idleness', () => {
    const key = { account: 'main', key_id: '7', last_used_at: 9000, sourceAddressChanges: 2 };
    expect(linesOf({ ...bareAccount, api_keys: [key] }, 'dbpm_api_key')).toEqual([
      'dbpm_api_key_info{key_id="7",key_name=""} 1',
      'dbpm_api_key_last_used_timestamp_seconds{key_id="7"} 9',
      'dbpm_api_key_source_address_changes_total{key_id="7"} 2',
    ]);
  });
});
