import Big from 'big.js';
import type { CountedThing } from '../../resources/price-book.ts';
import { livesOf, type UsageProject } from '../../resources/usage/ledger.ts';
import type { Period } from '../calendar/calendar.ts';
import {
  type Amount,
  amountOf,
  compareAmounts,
  noAmount,
  partOfAmount,
  showAmount,
  subtractAmounts,
  timesRate,
} from '../money/money.ts';
import { joinStretches, lengthOf, sharedTime, timeOf } from '../price/dated.ts';
import { amountInPeriod } from '../price/dated-amount.ts';
import { type BillCase, chargeLine } from './bill-case.ts';
import type { CostLine } from './cost-line.ts';
import type { RatedPeriod } from './rated-period.ts';

/** Decimals of a quantity as it is shown; what it costs is exact. */
const shownDecimals = 12;

/** Lines for counted things beyond the included ones, as far as they were there until now. */
export function countedLines(bill: BillCase, rated: RatedPeriod): CostLine[] {
  const { plan } = rated.assignment;
  return (plan.counted ?? []).flatMap(thing => {
    const lives = findLives(bill, rated, thing.of);
    const quantity = lives === undefined ? noAmount : countThings(bill, rated, thing, lives);
    const amount = timesRate(quantity, thing.price);
    if (compareAmounts(amount, noAmount) <= 0) return [];
    return [
      chargeLine(bill, {
        kind: 'counted',
        plan: plan.name,
        name: thing.name,
        currency: plan.currency,
        amount,
        quantity: { value: showQuantity(quantity), unit: thing.of },
        price: { list: thing.price, discounted: thing.price },
      }),
    ];
  });
}

/** A quantity, to twelve decimals. */
export function showQuantity(quantity: Amount): string {
  return Big(showAmount(quantity, shownDecimals)).toFixed();
}

function countThings(
  { period, asOf }: BillCase,
  rated: RatedPeriod,
  thing: CountedThing,
  lives: readonly (readonly Period[])[],
): Amount {
  const soFar = { fromAt: period.fromAt, untilAt: Math.min(period.untilAt, asOf) };
  const counted = lives.map(life => sharedTime(sharedTime(life, [soFar]), [timeOf(thing)]));
  const included = amountInPeriod(
    rated.assignment.plan,
    [{ ...timeOf(thing), amount: thing.included }],
    rated,
  );
  const there =
    thing.count === 'peak'
      ? amountOf(String(peakOf(counted.flat())))
      : partOfAmount(
          amountOf('1'),
          counted.reduce((sum, life) => sum + lengthOf(life), 0),
          period.untilAt - period.fromAt,
        );
  return subtractAmounts(there, thing.count === 'peak' ? amountOf(thing.included) : included);
}

/** The most stretches that are there at one time. */
function peakOf(stretches: readonly Period[]): number {
  const changes = stretches.flatMap(({ fromAt, untilAt }) => [
    { at: fromAt, by: 1 },
    { at: untilAt, by: -1 },
  ]);
  let there = 0;
  let most = 0;
  for (const { by } of changes.sort((a, b) => a.at - b.at || a.by - b.by)) {
    there += by;
    most = Math.max(most, there);
  }
  return most;
}

/** When each thing was there under the plan; undefined where the ledger does not know. */
function findLives(
  { ledger, account }: BillCase,
  { assignment }: RatedPeriod,
  of: CountedThing['of'],
): readonly (readonly Period[])[] | undefined {
  const knownFromAt = ledger.knownFrom(account) ?? Number.POSITIVE_INFINITY;
  const lifeOf = (project: UsageProject) => {
    const lives = livesOf(project).map(({ created_at = knownFromAt, gone_at: untilAt }) =>
      timeOf({ fromAt: created_at, ...(untilAt !== undefined && { untilAt }) }),
    );
    return sharedTime(lives, assignment.stretchesOf(project.project_ref));
  };
  if (of === 'projects') return assignment.projects.map(lifeOf);
  const endpoints = ledger.endpointLives?.();
  if (endpoints === undefined) return undefined;
  const byRef = new Map(assignment.projects.map(project => [project.project_ref, lifeOf(project)]));
  const lived = endpoints.flatMap(({ project_ref, branch_id, created_at, gone_at }) => {
    const own = timeOf({
      ...(created_at !== undefined && { fromAt: created_at }),
      ...(gone_at !== undefined && { untilAt: gone_at }),
    });
    const life = sharedTime([own], byRef.get(project_ref) ?? []);
    return [{ branch: branch_id && `${project_ref} ${branch_id}`, life }];
  });
  if (of === 'endpoints') return lived.map(({ life }) => life);
  const byBranch = Map.groupBy(lived, ({ branch }) => branch);
  return [...byBranch].flatMap(([branch, members]) =>
    branch === undefined ? [] : [joinStretches(members.flatMap(({ life }) => life))],
  );
}
