import type { Account, Config } from '../config/config.ts';

/** An account without its key, which the console never needs. */
type ConsoleAccount = Pick<Account, 'name' | 'requestsPerMinute'> & { readonly base_url: string };

/** The configuration as a thread can be given it: without the accounts' keys and everything else that reads files. */
export type ConsoleConfig = Omit<Config, 'accounts' | 'webFile'> & {
  readonly accounts: readonly ConsoleAccount[];
  /** The file that several histories are joined into, where they are looked at; absent where the history is one. */
  readonly joinedFile?: string;
};

/** The file that is looked at. */
export function shownFileOf({ joinedFile, history }: ConsoleConfig): string {
  return joinedFile ?? history.file;
}

export function consoleConfigOf({ accounts, webFile: _kept, ...config }: Config): ConsoleConfig {
  return {
    ...config,
    accounts: accounts.map(({ name, requestsPerMinute, base_url }) => ({
      name,
      requestsPerMinute,
      base_url: base_url.href,
    })),
  };
}

/** The configuration for a report, which is of these accounts and asks nothing of the service. */
export function reportConfigOf(config: ConsoleConfig): Config {
  const refuse = () => {
    throw new Error('reports need no API key');
  };
  return {
    ...config,
    accounts: config.accounts.map(account => ({
      ...account,
      base_url: new URL(account.base_url),
      readApiKey: refuse,
      projects: { include: ['*'], exclude: [] },
    })),
  };
}
