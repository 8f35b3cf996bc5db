import { accountSettings } from '../../config/account-setting.ts';
import type { Config } from '../../config/config.ts';
import { isSeveral, listHistories, nameHistories } from '../../history/file/history-list.ts';
import { type CountedProjects, type KnownFleet, readKnownFleets } from '../../history/fleet/fleet-size.ts';
import type { ProjectGlobs } from '../../resources/project-filter.ts';
import type { Shard } from '../../resources/shard.ts';
import type { PlannedAccount, PlannedFleet } from './account-plan.ts';
import type { FleetSizes } from './request.ts';

/** An account to plan for, how large its fleet is, and where that size comes from, as a clause. */
export interface AccountFleet {
  readonly account: PlannedAccount;
  readonly fleet: PlannedFleet;
  readonly source: string;
}

/** The size of a fleet where neither a flag nor the history gives it; an account has the key it is read with. */
const usual = { endpointsPerProject: 1, busyShare: 0.05, apiKeys: 1 };

/** As measured of simulated fleets over two weeks, weekends among them: some of what is busy never sleeps. */
const startsPerBusyDay = 36;
/** Checks and changed configurations of a project. */
const otherOperationsPerDay = 1.5;

const unconfigured: PlannedAccount = {
  name: accountSettings.name.default ?? '',
  requestsPerMinute: Number(accountSettings.requests_per_minute.default),
};

/**
 * The accounts to plan for with the sizes that were asked for or that the history knows; where none is configured, the
 * accounts of the history.
 *
 * @returns also the names of the accounts whose size nothing gives.
 * @throws HistoryError when there is a history that cannot be read.
 */
export function findAccountFleets(
  config: Pick<Config, 'accounts' | 'history' | 'shard'>,
  sizes: FleetSizes,
): { readonly found: readonly AccountFleet[]; readonly unknown: readonly string[] } {
  const { projects, requestsPerMinute } = sizes;
  const watched = new Map(config.accounts.map(account => [account.name, account.projects]));
  const fleets =
    projects === undefined ? readFleets(config.history.file, watched) : new Map<string, KnownFleet>();
  const names = projects === undefined ? [...fleets.keys()] : [unconfigured.name];
  const accounts =
    config.accounts.length > 0 ? config.accounts : names.map(name => ({ ...unconfigured, name }));
  const isSized = ({ name }: PlannedAccount) => projects !== undefined || fleets.has(name);
  return {
    found: accounts.filter(isSized).map(({ name, ...account }: PlannedAccount) => ({
      account: {
        ...account,
        name,
        requestsPerMinute: requestsPerMinute ?? account.sharedRequestsPerMinute ?? account.requestsPerMinute,
      },
      fleet: sizeFleet(sizes, wholeOf(fleets.get(name), config.shard)),
      source: nameSource(sizes, config.history.file),
    })),
    unknown: accounts.filter(account => !isSized(account)).map(({ name }) => name),
  };
}

/** The sizes of fleets over all histories that are named; the parts of an account add up. */
function readFleets(given: string, watched: ReadonlyMap<string, ProjectGlobs>) {
  const fleets = new Map<string, KnownFleet>();
  const counted: CountedProjects = new Map();
  for (const file of listHistories(given)) {
    for (const [account, fleet] of readKnownFleets(file, watched, counted)) {
      const known = fleets.get(account);
      fleets.set(account, known === undefined ? fleet : addFleets(known, fleet));
    }
  }
  return fleets;
}

/** A history of a shard knows its part alone: the others are as large. */
function wholeOf(known: KnownFleet | undefined, shard: Shard | undefined): KnownFleet | undefined {
  if (known === undefined || shard === undefined) return known;
  const { projects, endpoints, busyProjects, operationsPerDay } = known;
  const { count } = shard;
  return {
    ...known,
    projects: projects * count,
    endpoints: endpoints * count,
    busyProjects: busyProjects * count,
    operationsPerDay: operationsPerDay * count,
  };
}

/** Each part reads the keys of the whole account. */
function addFleets(one: KnownFleet, other: KnownFleet): KnownFleet {
  return {
    ...other,
    ...one,
    projects: one.projects + other.projects,
    endpoints: one.endpoints + other.endpoints,
    busyProjects: one.busyProjects + other.busyProjects,
    apiKeys: Math.max(one.apiKeys, other.apiKeys),
    operationsPerDay: one.operationsPerDay + other.operationsPerDay,
  };
}

/** The size that was asked for goes before the one that is known, and that before the usual one. */
export function sizeFleet(
  { projects = 0, endpointsPerProject, busy }: FleetSizes,
  known?: KnownFleet,
): PlannedFleet {
  const ofEach = (count: (fleet: KnownFleet) => number, otherwise: number) =>
    known === undefined || known.projects === 0 ? otherwise : count(known) / known.projects;
  const count = known?.projects ?? projects;
  const busyShare = busy ?? ofEach(({ busyProjects }) => busyProjects, usual.busyShare);
  return {
    projects: count,
    endpointsPerProject:
      endpointsPerProject ?? ofEach(({ endpoints }) => endpoints, usual.endpointsPerProject),
    busyShare,
    apiKeys: known?.apiKeys ?? usual.apiKeys,
    ...(known?.cpuSource && { cpuSource: known.cpuSource }),
    ...(known?.isMetered && { isMetered: true }),
    operationsPerDay:
      known?.operationsPerDay || count * (2 * startsPerBusyDay * busyShare + otherOperationsPerDay),
  };
}

function nameSource({ projects, endpointsPerProject, busy }: FleetSizes, file: string): string {
  if (projects !== undefined) return 'as the flags say';
  const overridden = endpointsPerProject !== undefined || busy !== undefined;
  const names = nameHistories(file);
  if (overridden) return `as ${names} and the flags say`;
  return `as ${names} ${isSeveral(file) ? 'know' : 'knows'} them`;
}
