import type { Account, Config } from '../config/config.ts';

/** An account without its key, which the console never needs. */
export type ConsoleAccount = Pick<Account, 'name' | 'requestsPerMinute'> & { readonly base_url: string };

/** The configuration as a thread can be given it: without the accounts' keys and everything else that reads files. */
export type ConsoleConfig = Omit<Config, 'accounts' | 'webFile'> & {
  readonly accounts: readonly ConsoleAccount[];
  /** The files that are looked at where no daemon runs here; absent of a daemon, whose history is one. */
  readonly histories?: readonly string[];
};

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
