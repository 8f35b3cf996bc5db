import { type UsageLedger, type UsageProject, wasThere } from '../../resources/usage/ledger.ts';
import { type Amount, amountOf, amountOfUse, noAmount, splitAmount, sumAmounts } from '../money/money.ts';
import { shareWhole } from '../money/whole-share.ts';
import { sharedTime } from '../price/dated.ts';
import type { Charge, CostLine } from './cost-line.ts';
import type { DatedAssignment } from './plan-history.ts';

/** The projects that a charge is for: those of its account and plan that existed in its billing period. */
type MembersOf = (charge: CostLine) => readonly UsageProject[];

/**
 * Shares charges out to the projects that they are for: by what each of them cost in the billing period of the charge,
 * by its compute hours, or evenly, as the line says. Where no project has cost, hours decide, and where none has hours,
 * all get the same. Parts add up to their charge to the last decimal. What is a project's already stays as it is, and so
 * does a charge that no project is there for.
 *
 * @param usage all usage of the billing periods of the charges.
 * @returns the parts of each charge, in the order of the charges and of their projects.
 */
export function shareCharges(
  charges: readonly CostLine[],
  usage: Iterable<CostLine>,
  membersOf: MembersOf,
): CostLine[] {
  const usageByAccount = Map.groupBy(usage, ({ account }) => account);
  return charges.flatMap(line => {
    if (line.project !== undefined || line.charge === undefined) return [line];
    const members = membersOf(line);
    if (members.length === 0) return [line];
    const weights = weigh(line, members, usageByAccount.get(line.account) ?? []);
    return shareLine(line, line.charge, members, weights);
  });
}

/**
 * The projects that a charge is for, as far as the history knows of them.
 *
 * @param plans those of the account of the charge.
 */
export function findMembers(
  { account, plan, fromAt, untilAt }: CostLine,
  plans: readonly DatedAssignment[],
  ledger: UsageLedger,
): UsageProject[] {
  const knownFromAt = ledger.knownFrom(account) ?? Number.POSITIVE_INFINITY;
  if (knownFromAt >= untilAt) return [];
  if (plan === undefined) {
    return ledger.projects.filter(
      project => project.account === account && wasThere(project, { fromAt, untilAt }, knownFromAt),
    );
  }
  return plans
    .filter(assignment => assignment.plan.name === plan)
    .flatMap(assignment =>
      assignment.projects.filter(project =>
        sharedTime(assignment.stretchesOf(project.project_ref), [{ fromAt, untilAt }]).some(stretch =>
          wasThere(project, stretch, knownFromAt),
        ),
      ),
    );
}

/** A part is of no quantity: that of a free line or of counted things is the whole charge's. */
function shareLine(
  { quantity: _whole, ...line }: CostLine,
  whole: Charge,
  members: readonly UsageProject[],
  weights: readonly Amount[],
): CostLine[] {
  const charges = splitCharge(whole, weights);
  return members.flatMap((project, index) => {
    const charge = charges[index];
    return charge === undefined || weights[index]?.numerator.eq(0) ? [] : [{ ...line, project, charge }];
  });
}

/** What each project counts for in the sharing of a charge; not all of them are 0. */
function weigh(line: CostLine, members: readonly UsageProject[], usage: readonly CostLine[]): Amount[] {
  const meant = usage.filter(
    ({ plan, fromAt }) =>
      fromAt >= line.fromAt && fromAt < line.untilAt && (line.plan === undefined || plan === line.plan),
  );
  const byProject = Map.groupBy(meant, ({ project }) => project?.project_ref);
  const weightsBy = (weightOf: (used: CostLine) => Amount) =>
    members.map(({ project_ref }) => sumAmounts((byProject.get(project_ref) ?? []).map(weightOf)));
  const costOf = costIn(meant);
  const evenly = () => members.map(() => amountOf('1'));
  const hours = () => weightsBy(({ usedCuMs }) => amountOfUse(usedCuMs));
  const bases = { cost: [() => weightsBy(costOf), hours], hours: [hours], evenly: [] };
  const found = bases[line.sharedBy ?? 'cost'].map(basis => basis()).find(isAnything);
  return found ?? evenly();
}

function isAnything(weights: readonly Amount[]): boolean {
  return weights.some(({ numerator }) => !numerator.eq(0));
}

/** Costs in the currency that all have, as an exchange rate of another day would make the same use weigh more. */
function costIn(usage: readonly CostLine[]): (used: CostLine) => Amount {
  const currencies = new Set(usage.flatMap(({ charge }) => charge?.currency ?? []));
  return ({ charge }) => (currencies.size > 1 ? charge?.displayAmount : charge?.amount) ?? noAmount;
}

/**
 * Lines shared out in proportion to weights, which are not all 0. The parts of a line add up to it in every figure, and
 * those of each weight to its share of the whole usage, however many lines that is cut into.
 *
 * @returns the parts of each line, in the order of the weights.
 */
export function shareLines(lines: readonly CostLine[], weights: readonly number[]): CostLine[][] {
  if (weights.length === 1) return lines.map(line => [line]);
  const used = lines.reduce((sum, { usedCuMs }) => sum + usedCuMs, 0);
  let rest = shareWhole(used, weights);
  const take = (cuMs: number): number[] => {
    const shares = shareWhole(cuMs, rest);
    rest = rest.map((left, index) => left - (shares[index] ?? 0));
    return shares;
  };
  return lines.map(line => {
    const included = take(line.includedCuMs);
    const billed = take(line.billedCuMs);
    const unpriced = take(line.unpricedCuMs);
    const uses = billed.map(parts => amountOfUse(parts));
    const charges = line.charge === undefined ? [] : splitCharge(line.charge, uses);
    return billed.map((billedCuMs, index) => {
      const includedCuMs = included[index] ?? 0;
      const unpricedCuMs = unpriced[index] ?? 0;
      const usedCuMs = includedCuMs + billedCuMs + unpricedCuMs;
      const charge = charges[index];
      return { ...line, usedCuMs, includedCuMs, billedCuMs, unpricedCuMs, ...(charge && { charge }) };
    });
  });
}

function splitCharge({ amount, displayAmount, ...charge }: Charge, weights: readonly Amount[]): Charge[] {
  const displayed = displayAmount === undefined ? [] : splitAmount(displayAmount, weights);
  return splitAmount(amount, weights).map((share, index) => {
    const shown = displayed[index];
    return { ...charge, amount: share, ...(shown && { displayAmount: shown }) };
  });
}
