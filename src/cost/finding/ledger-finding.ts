import type { Found, ProjectFinding } from '../../resources/finding.ts';
import type { FindingRules } from '../../resources/finding-rule.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { LedgerComparison, LedgerDrift, LikelyWrong } from '../../resources/usage/view.ts';
import { dateOf } from '../../resources/utc-date.ts';
import { isIgnoredFor } from './finding-filter.ts';
import { sayCount } from './phrase.ts';

const secondsOfHour = 3600;

const verdicts: Readonly<Record<LikelyWrong, string>> = {
  metered: 'So the meter is likely wrong.',
  reported: 'So the counter is likely wrong.',
  unknown: 'Which of the two is wrong is not known.',
};

const advices: Readonly<Record<LikelyWrong, string>> = {
  metered:
    "Ask the service's support about this project and this day, with these figures, before the bill is paid; until then pricing.ledger: reported charges by the counter.",
  reported:
    'Go by the meter, as the bill of the service does: leave pricing.ledger out, and see whether the counter was set back, or forward, that day.',
  unknown:
    "Look whether the next days are like this one, too; if they are, ask the service's support, with these figures.",
};

/** A history whose ledgers are compared. */
interface ComparedHistory {
  readonly accounts: readonly string[];
  readonly usage: { readonly projects: readonly UsageProject[] };
  /** A day that both ledgers of an account tell of. */
  compareLedgers(account: string, untilAt: number): LedgerComparison | undefined;
}

/** Finds projects whose meter and counter of the service tell other compute, of each account the furthest apart first. */
export function findLedgerDoubts(
  history: ComparedHistory,
  rules: FindingRules,
  untilAt: number,
): readonly Found<ProjectFinding>[] {
  const byAccount = Map.groupBy(history.usage.projects, ({ account }) => account);
  return history.accounts.flatMap(account => {
    const { drifting = [], fromAt = 0 } = history.compareLedgers(account, untilAt) ?? {};
    const projects = new Map(byAccount.get(account)?.map(project => [project.project_id, project]));
    return drifting
      .toSorted((a, b) => Math.abs(b.driftComputeSeconds) - Math.abs(a.driftComputeSeconds))
      .flatMap(drift => {
        const project = projects.get(drift.project_id);
        if (project === undefined || isIgnoredFor(rules, project, untilAt)('ledgers_apart')) return [];
        return [{ project, finding: describeDrift(project, drift, fromAt) }];
      });
  });
}

/** @param fromAt the midnight of UTC that the day begins at. */
function describeDrift(
  { account, project_id, project_name }: UsageProject,
  drift: LedgerDrift,
  fromAt: number,
): ProjectFinding {
  const { likelyWrong, driftComputeSeconds, meteredComputeSeconds } = drift;
  const hours = (seconds: number) => sayCount(seconds / secondsOfHour, 'compute hour');
  const reported = hours(meteredComputeSeconds + driftComputeSeconds);
  const day = dateOf(fromAt);
  return {
    kind: 'ledgers_apart',
    ...{ account, project_id, ...(project_name !== undefined && { project_name }) },
    evidence: `Of ${day} (UTC) the meter of the service tells ${hours(meteredComputeSeconds)}, the counter it reports ${reported}${sayAwake(drift)}. ${verdicts[likelyWrong]}`,
    advice: advices[likelyWrong],
  };
}

function sayAwake({ awakeComputeSeconds: awake }: LedgerDrift): string {
  if (awake === undefined) return '; when its endpoints were awake is not wholly known';
  const [least, most] = [awake.lower, awake.upper].map(seconds => (seconds / secondsOfHour).toFixed(1));
  return `; by the time its endpoints were awake it was ${least === most ? '' : `${least} to `}${most}`;
}
