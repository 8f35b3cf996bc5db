import type { ClosedPeriod } from '../../resources/closed-period.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { Period } from '../calendar/calendar.ts';
import { readAmount, writeAmount } from '../money/money.ts';
import type { ClosedPlans } from '../price/plan-assignment.ts';
import { type CostLine, isUse, noUse } from '../rating/cost-line.ts';
import type { Costing } from '../rating/costing.ts';

/** The bill of an account for a closed billing period. */
export interface FrozenBill extends ClosedPlans {
  readonly lines: readonly CostLine[];
}

/**
 * Lines of no use, to be kept beside those of a bill: the plans of projects that no line of use tells. So what is found of the
 * period later, and what is charged for projects that used nothing, stays with the plans of then.
 */
export function planLines(
  costing: Costing,
  { plans }: PriceBook,
  account: string,
  { fromAt, untilAt }: Period,
  lines: readonly CostLine[],
): CostLine[] {
  const line: CostLine = { kind: 'usage', account, fromAt, untilAt, ...noUse };
  const linesOf = (of: CostLine) => costing.membersOf(of).map(project => ({ ...of, project }));
  const planned = plans.flatMap(({ name: plan }) => linesOf({ ...line, plan }));
  const [told, isPlanned] = [plansOf(lines), plansOf(planned)];
  const others = linesOf(line).filter(({ project }) => !isPlanned.has(project.project_ref));
  return [...planned, ...others].filter(({ project, plan }) => !told.get(project.project_ref)?.has(plan));
}

/** The names of the plans that lines of use are by, by the numbers of their projects. */
function plansOf(lines: readonly CostLine[]): FrozenBill['plansOf'] {
  const found = new Map<number, Set<string | undefined>>();
  for (const line of lines) {
    if (line.project === undefined || !isUse(line)) continue;
    const { project_ref } = line.project;
    found.set(project_ref, (found.get(project_ref) ?? new Set()).add(line.plan));
  }
  return found;
}

/** The lines of a bill as JSON, to be kept: amounts are the exact texts of `writeAmount`. */
export function writeLines(lines: readonly CostLine[]): string {
  const written = lines.map(({ charge, ...line }) => {
    if (charge === undefined) return line;
    const { amount, displayAmount, ...rest } = charge;
    const displayed = displayAmount && { displayAmount: writeAmount(displayAmount) };
    return { ...line, charge: { ...rest, amount: writeAmount(amount), ...displayed } };
  });
  return JSON.stringify(written);
}

type Charge = NonNullable<CostLine['charge']>;
type WrittenLine = Omit<CostLine, 'charge'> & {
  readonly charge?: Omit<Charge, 'amount' | 'displayAmount'> & {
    readonly amount: string;
    readonly displayAmount?: string;
  };
};

/**
 * Reads a closed billing period back, whose lines `writeLines` made. Its projects are those of now: in a part of a closed period, in
 * an open one and in reports of use they have no other names and groups.
 *
 * @param projects as they are now.
 */
export function readBill(
  { account, fromAt, untilAt, lines }: ClosedPeriod,
  projects: readonly UsageProject[],
): FrozenBill {
  const own = projects.filter(project => project.account === account);
  const known = new Map(own.map(project => [project.project_id, project]));
  const find = (then: UsageProject): UsageProject => {
    const project = known.get(then.project_id) ?? then;
    known.set(then.project_id, project);
    return project;
  };
  const written = JSON.parse(lines) as readonly WrittenLine[];
  const read = written.map(line => {
    const { project, ...rest } = readLine(line);
    return project === undefined ? rest : { ...rest, project: find(project) };
  });
  const isBilled = (line: CostLine) => line.kind !== 'usage' || line.usedCuMs > 0;
  return { account, fromAt, untilAt, lines: read.filter(isBilled), plansOf: plansOf(read) };
}

function readLine({ charge, ...line }: WrittenLine): CostLine {
  if (charge === undefined) return line;
  const { amount, displayAmount, ...rest } = charge;
  const displayed = displayAmount !== undefined && { displayAmount: readAmount(displayAmount) };
  return { ...line, charge: { ...rest, amount: readAmount(amount), ...displayed } };
}
