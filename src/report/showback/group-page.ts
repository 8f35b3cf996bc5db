import { labelBilling } from '../../cost/calendar/billing-name.ts';
import type { Period } from '../../cost/calendar/calendar.ts';
import { addDecimals, isSome } from '../../cost/money/decimal-sum.ts';
import {
  type Amount,
  amountNumber,
  amountOf,
  amountOfUse,
  compareAmounts,
  noAmount,
  shareOut,
  showAmount,
  subtractAmounts,
  sumAmounts,
} from '../../cost/money/money.ts';
import { writeMoney } from '../../cost/money/money-text.ts';
import { type CostLine, sumLines, sumLinesBy } from '../../cost/rating/cost-line.ts';
import type { DecimalText } from '../../resources/price-book.ts';
import { type UsageProject, wasThere } from '../../resources/usage/ledger.ts';
import type { ForecastBounds } from '../../resources/usage/view.ts';
import { sayBand } from '../format/band-text.ts';
import type { Figure } from '../format/block.ts';
import { hourDecimals } from '../format/hour-text.ts';
import type { ProjectPart, ShowbackPage } from '../format/showback-page.ts';
import { separateThousands } from '../format/shown-cell.ts';
import { nameCharge } from '../row/scope.ts';
import type { PeriodCosts } from './group-cost.ts';
import type { GroupTotals } from './group-total.ts';

/** The costs of one group, with those of all groups together. */
export interface GroupCosts
  extends Pick<PeriodCosts, 'isOpen' | 'used' | 'charges' | 'usedBefore' | 'usedByThen'>,
    GroupTotals {
  /** Use and charges together, and those of the period before. */
  readonly cost: Amount;
  readonly before: Amount;
  /** How much of the period before is known: what is not known is not compared with. */
  readonly knownBefore: 'all' | 'part' | 'nothing';
  /** Of all groups, unshared charges included. */
  readonly whole: Amount;
  /** Of its compute, and of what is metered, in the whole period; absent where it is over, or too little is known. */
  readonly forecast?: ForecastBounds;
  readonly decimals: number;
  readonly currency: string;
}

/** An amount within a sentence; those that stand alone are written as each face does. */
function sayMoney(amount: Amount, { decimals, currency }: GroupCosts): string {
  return writeMoney(showAmount(amount, decimals), currency);
}

const shownProjects = 10;

/** The figures that are seen first. */
export function figuresOf(costs: GroupCosts): Figure[] {
  const { cost, knownBefore, whole, total, totalBefore, hours, hoursBefore, isOpen } = costs;
  const sayHours = (text: DecimalText) => `${separateThousands(text)} compute hours`;
  const isBeforeKnown = knownBefore !== 'nothing';
  return [
    {
      label: isOpen ? 'This period so far' : 'This period',
      value: separateThousands(total),
      detail: sayHours(hours),
    },
    {
      label: 'The period before',
      value: isBeforeKnown ? separateThousands(totalBefore) : 'not known',
      detail: isBeforeKnown ? [sayHours(hoursBefore), ...describeChange(costs)].join('; ') : '',
    },
    ...forecastFigure(costs),
    {
      label: 'Share of all costs',
      value: `${compareAmounts(whole, noAmount) > 0 ? ((100 * amountNumber(cost)) / amountNumber(whole)).toFixed(1) : '0.0'}%`,
      detail: `of ${sayMoney(whole, costs)}`,
    },
  ];
}

function describeChange(costs: GroupCosts): string[] {
  const { knownBefore, isOpen, usedByThen, cost, before } = costs;
  if (knownBefore === 'part') return ['known in part'];
  if (!isOpen) return [`this period ${showChange(cost, before)}`];
  const what = usedByThen.some(isMetered) ? 'use' : 'compute';
  return [`${what} until the same time ${sayMoney(costOf(usedByThen), costs)}`];
}

/** Charges that are known already are part of it; a minimum is not, as it depends on the use to come. */
function forecastFigure(costs: GroupCosts): Figure[] {
  const { forecast, charges, decimals } = costs;
  if (forecast === undefined) return [];
  const known = amountNumber(costOf(charges));
  const amount = (compute: number) => amountOf((compute + known).toFixed(decimals));
  const { expected, low80, high80 } = forecast;
  const band = sayBand(sayMoney(amount(low80), costs), sayMoney(amount(high80), costs));
  return [
    {
      label: 'Forecast for the whole period',
      value: separateThousands(showAmount(amount(expected), decimals)),
      detail: band === null ? '' : `four times in five from ${band}`,
    },
  ];
}

/** What a group pays for, as it is shown. */
interface ShownParts {
  readonly parts: ShowbackPage['parts'];
  readonly total: string;
  /** Compute and each metered thing together: what its projects add up to. */
  readonly ofUse: DecimalText;
}

/** Compute, each metered thing, and the group's part of each charge; they add up to the total as it is shown. */
export function partsOf({ used, charges, decimals, total }: GroupCosts): ShownParts {
  const byName = sumLinesBy(charges, line => `${nameCharge(line)} ${labelBilling(line)}, the group’s part`);
  const metered = sumLinesBy(used.filter(isMetered), ({ name }) => name ?? '');
  const sums = [
    ['compute', costOf(used.filter(line => !isMetered(line)))] as const,
    ...[...metered].map(([name, sum]) => [name, sum.amount] as const),
    ...[...byName].map(([name, sum]) => [name, sum.amount] as const),
  ];
  const shown = shareOut(
    sums.map(([, amount]) => amount),
    decimals,
    total,
  );
  return {
    // The rounding of an invoice's lines mostly comes to less than the last digit.
    parts: sums.flatMap(([what], index) => {
      const cost = shown[index] ?? '';
      return index === 0 || isSome(cost) ? [{ what, cost: separateThousands(cost) }] : [];
    }),
    total: separateThousands(total),
    ofUse: addDecimals(shown.slice(0, 1 + metered.size)) ?? total,
  };
}

interface ProjectCost {
  readonly project: UsageProject;
  readonly cost: Amount;
  readonly before: Amount;
  readonly usedCuMs: number;
}

/**
 * The dearest projects of the group, and a row of all others.
 *
 * @param total what they come to, as it is shown.
 */
export function projectsOf(
  { used, usedByThen, decimals, knownBefore, hours: totalHours }: GroupCosts,
  total: DecimalText,
): ProjectPart[] {
  const now = sumLinesBy(used, ({ project }) => project);
  const then = sumLinesBy(usedByThen, ({ project }) => project);
  const costs = [...new Set([...now.keys(), ...then.keys()])]
    .flatMap((project): ProjectCost[] => {
      if (project === undefined) return [];
      const { amount: cost = noAmount, usedCuMs = 0 } = now.get(project) ?? {};
      return [{ project, cost, before: then.get(project)?.amount ?? noAmount, usedCuMs }];
    })
    .sort((a, b) => compareAmounts(b.cost, a.cost) || compareAmounts(b.before, a.before));
  const dearest = amountNumber(costs[0]?.cost ?? noAmount);
  const rows = costs.slice(0, shownProjects).map(({ project, ...cost }) => ({
    ...cost,
    name: project.project_name ?? project.project_id,
    account: project.account,
    project_id: project.project_id,
  }));
  const others = costs.slice(shownProjects);
  const rest = {
    ...{ account: null, project_id: null },
    name: `${others.length} other${others.length === 1 ? '' : 's'}`,
    cost: sumAmounts(others.map(({ cost }) => cost)),
    before: sumAmounts(others.map(({ before }) => before)),
    usedCuMs: others.reduce((sum, { usedCuMs }) => sum + usedCuMs, 0),
  };
  const shown = others.length > 0 ? [...rows, rest] : rows;
  const texts = shareOut(
    shown.map(({ cost }) => cost),
    decimals,
    total,
  );
  const textsBefore = shareOut(
    shown.map(({ before }) => before),
    decimals,
  );
  const hours = shareOut(
    shown.map(({ usedCuMs }) => amountOfUse(usedCuMs)),
    hourDecimals,
    totalHours,
  );
  return shown.map(({ cost, before, usedCuMs: _, ...name }, index) => ({
    ...name,
    hours: separateThousands(hours[index] ?? ''),
    cost: separateThousands(texts[index] ?? ''),
    before: knownBefore === 'nothing' ? 'not known' : separateThousands(textsBefore[index] ?? ''),
    change: knownBefore === 'all' ? showChange(cost, before) : '',
    size: dearest > 0 && name.account !== null ? Math.max(0, amountNumber(cost) / dearest) : 0,
  }));
}

/** How many projects were there and have no row, as nothing of them is in what is compared. */
export function describeIdle(
  members: readonly UsageProject[],
  { used, usedByThen }: GroupCosts,
  span: Period,
): string[] {
  const shown = new Set([...used, ...usedByThen].map(({ project }) => project?.project_ref));
  const idle = members.filter(
    project => !shown.has(project.project_ref) && wasThere(project, span, Number.NEGATIVE_INFINITY),
  ).length;
  if (idle === 0) return [];
  return [
    idle === 1
      ? '1 project of the group used nothing and has no row.'
      : `${idle} projects of the group used nothing and have no row.`,
  ];
}

/** A change in percent of what was before. */
function showChange(now: Amount, before: Amount): string {
  if (compareAmounts(before, noAmount) <= 0) return compareAmounts(now, noAmount) > 0 ? 'from 0' : '';
  const percent = (100 * amountNumber(subtractAmounts(now, before))) / amountNumber(before);
  const shown = percent.toFixed(1).replace(/^-0\.0$/, '0.0');
  return `${percent > 0 && shown !== '0.0' ? '+' : ''}${separateThousands(shown)}%`;
}

/** Whether a line is of something that is metered besides compute. */
export function isMetered({ kind }: CostLine): boolean {
  return kind === 'metered';
}

/** What lines cost in the display currency. */
export function costOf(lines: readonly CostLine[]): Amount {
  return sumLines(lines).amount;
}
