import type { ReportHistory } from '../history/usage/report-history.ts';

/**
 * How much of an account a history has. Figures of one that is `importing` would leave out most of the past; of one that is
 * `unread` there are none, and one that is `empty` was read and never had a project.
 */
export interface AccountStanding {
  readonly account: string;
  readonly state: 'unread' | 'importing' | 'empty' | 'whole';
  readonly projects: number;
  /** Projects whose operations are not read to their beginning yet. */
  readonly importsLeft: number;
}

export function findStandings({ accounts, usage }: Pick<ReportHistory, 'accounts' | 'usage'>) {
  return accounts.map((account): AccountStanding => {
    const projects = usage.projects.filter(project => project.account === account).length;
    return {
      account,
      state: stateOf(usage, account, projects),
      projects,
      importsLeft: usage.importsLeft(account),
    };
  });
}

function stateOf(usage: ReportHistory['usage'], account: string, projects: number): AccountStanding['state'] {
  if (projects > 0 && usage.isImporting(account)) return 'importing';
  if (usage.knownUntil(account) === undefined) return 'unread';
  return projects === 0 ? 'empty' : 'whole';
}

/**
 * Whether figures of these accounts together can be shown: none is being imported, and something was read. One that cannot be
 * read does not hold up the others for ever: their reports say that it is missing.
 */
export function areWhole(standings: readonly AccountStanding[]): boolean {
  return (
    standings.every(({ state }) => state !== 'importing') && standings.some(({ state }) => state !== 'unread')
  );
}
