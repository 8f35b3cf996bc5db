import type { SettingValues, settings } from './setting.ts';

/** One account of the service. The key is behind a function, so that printing an account never shows it. */
export interface Account {
  readonly name: string;
  readonly base_url: URL;
  readonly readApiKey: () => string;
  readonly requestsPerMinute: number;
}

/** The whole configuration, checked and frozen: the sections of the schema and the accounts. */
export interface Config extends SettingValues<typeof settings> {
  readonly accounts: readonly Account[];
}
