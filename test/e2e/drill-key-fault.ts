import { createKey, revokeKey, useKey } from './drill-action.ts';
import { type DrillFault, untilScraped } from './drill-injection.ts';

const account = 'main';

export const keyFaults: readonly DrillFault[] = [
  {
    alerts: ['DbpmApiKeyUnused'],
    fault: 'nobody uses a key any more',
    mended: 'it is used again',
    async inject({ stages: { main } }) {
      const key = await createKey(main, 'no longer used');
      await useKey(main, key);
      return { labels: { account, key_id: String(key.id) }, mend: () => useKey(main, key) };
    },
  },
  {
    alerts: ['DbpmApiKeyNeverUsed'],
    fault: 'a key is created and not used',
    mended: 'it is used',
    async inject({ stages: { main } }) {
      const key = await createKey(main, 'never used');
      return { labels: { account, key_id: String(key.id) }, mend: () => useKey(main, key) };
    },
  },
  {
    alerts: ['DbpmApiKeyTooOld'],
    fault: 'a key grows old',
    mended: 'it is revoked',
    async inject({ stages: { main } }) {
      const { id } = await createKey(main, 'too old');
      return { labels: { account, key_id: String(id) }, mend: () => revokeKey(main, id) };
    },
  },
  {
    alerts: ['DbpmApiKeySourceAddressChanged'],
    fault: 'a key is used from another address',
    mended: 'that is no longer news',
    async inject(drill) {
      const { main } = drill.stages;
      const key = await createKey(main, 'stolen');
      const key_id = String(key.id);
      await useKey(main, key, '127.0.0.1');
      await untilScraped(drill, 'dbpm_api_key_source_address_changes_total', { key_id });
      await useKey(main, key, '127.0.0.2');
      return { labels: { account, key_id }, mend: async () => {} };
    },
  },
];
