import { accountSettings } from '../config/account-setting.ts';
import type { Config } from '../config/config.ts';
import { type KnownFleet, readKnownFleets } from '../history/fleet-size.ts';
import type { PlannedAccount, PlannedFleet } from './account-plan.ts';
import type { PlanFlags } from './plan-option.ts';

/** An account to plan for, how large its fleet is, and who says so, as a clause. */
export interface AccountFleet {
  readonly account: PlannedAccount;
  readonly fleet: PlannedFleet;
  readonly source: string;
}

type Sizes = Pick<PlanFlags, 'projects' | 'endpointsPerProject' | 'busy' | 'requestsPerMinute'>;

/** Where neither a flag nor the history says it; an account has the key it is read with. */
const usual = { endpointsPerProject: 1, busyShare: 0.05, apiKeys: 1 };

const unconfigured: PlannedAccount = {
  name: accountSettings.name.default ?? '',
  requestsPerMinute: Number(accountSettings.requests_per_minute.default),
};

/**
 * The accounts to plan for with the sizes that flags and history give; without any configured, those of the history.
 *
 * @returns apart, the accounts of which no size is known.
 * @throws HistoryError when there is a history that cannot be read.
 */
export function findAccountFleets(
  config: Pick<Config, 'accounts' | 'history'>,
  flags: Sizes,
): { readonly found: readonly AccountFleet[]; readonly unknown: readonly string[] } {
  const fleets = flags.projects === undefined ? readKnownFleets(config.history.file) : new Map();
  const names = flags.projects === undefined ? [...fleets.keys()] : [unconfigured.name];
  const accounts =
    config.accounts.length > 0 ? config.accounts : names.map(name => ({ ...unconfigured, name }));
  const found = accounts.flatMap(({ name, requestsPerMinute }) => {
    const known = fleets.get(name);
    if (known === undefined && flags.projects === undefined) return [];
    const account = { name, requestsPerMinute: flags.requestsPerMinute ?? requestsPerMinute };
    return [{ account, fleet: sizeFleet(flags, known), source: nameSource(flags, config.history.file) }];
  });
  const unknown = accounts
    .map(({ name }) => name)
    .filter(name => !found.some(({ account }) => account.name === name));
  return { found, unknown };
}

function sizeFleet(
  { projects = 0, endpointsPerProject, busy }: Sizes,
  known: KnownFleet | undefined,
): PlannedFleet {
  const counted = known?.projects || undefined;
  return {
    projects: known?.projects ?? projects,
    endpointsPerProject:
      endpointsPerProject ?? (counted && known ? known.endpoints / counted : usual.endpointsPerProject),
    busyShare: busy ?? (counted && known ? known.busyProjects / counted : usual.busyShare),
    apiKeys: known?.apiKeys ?? usual.apiKeys,
  };
}

function nameSource({ projects, endpointsPerProject, busy }: Sizes, file: string): string {
  if (projects !== undefined) return 'as the flags say';
  const overridden = endpointsPerProject !== undefined || busy !== undefined;
  return overridden ? `as ${file} and the flags say` : `as ${file} knows them`;
}
