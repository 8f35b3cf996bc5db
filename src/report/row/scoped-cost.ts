import { billingCalendar } from '../../cost/calendar/billing-calendar.ts';
import type { Period } from '../../cost/calendar/calendar.ts';
import { withClosed } from '../../cost/closing/closed-costing.ts';
import { readBill } from '../../cost/closing/frozen-bill.ts';
import { compareAmounts } from '../../cost/money/money.ts';
import { shareCharges, shareLines } from '../../cost/rating/charge-share.ts';
import { cacheReadings } from '../../cost/rating/chosen-ledger.ts';
import { type CostLine, type CostSum, CostTally } from '../../cost/rating/cost-line.ts';
import { type Costing, type CostingInput, createCosting } from '../../cost/rating/costing.ts';
import { isClosed } from '../../history/closing/closed-period.ts';
import { oncePerLook } from '../../history/usage/once-per-look.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { Failure } from '../../resources/failure.ts';
import { maxOf, minOf } from '../../resources/min-max.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';
import { isInReport } from '../chosen-project.ts';
import type { PricedSubject, ReportSubject } from '../content.ts';
import type { ReportRequest } from '../request.ts';
import { cutByDay, EndpointShare } from './endpoint-share.ts';
import { rollLedger } from './rolled-ledger.ts';
import { keepRows, type RowScope } from './scope.ts';
import { cutSubject } from './step.ts';

/** The cost of one row, before it is rounded. */
export interface ScopedCost {
  readonly scope: RowScope;
  readonly sum: CostSum;
}

/** Orders rows by cost, the dearest first, and those of the same cost by use. */
export function dearestFirst(a: ScopedCost, b: ScopedCost): number {
  return (
    compareAmounts(b.sum.amount, a.sum.amount) ||
    b.sum.usedCuMs - a.sum.usedCuMs ||
    (a.scope.key < b.scope.key ? -1 : 1)
  );
}

/** @throws Failure with the setting to write where the configuration has no prices. */
export function requirePricing({ config: { pricing } }: Pick<ReportRequest, 'config'>): PriceBook {
  if (pricing !== undefined) return pricing;
  throw new Failure(
    'costs need prices: write a section pricing into the configuration, such as "pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.16}]}]}", and name its file with --config.file',
    'usage',
  );
}

const costingOfLook = oncePerLook<PriceBook, Costing>();

/**
 * The costing by a price book; by the configured one, closed billing periods cost what they did. Reports of one look share it, but
 * for those with many steps: their days are read together.
 */
export function priceUse(subject: PricedSubject, book: PriceBook): Costing {
  const { history, request } = subject;
  if (hasManySteps(request)) return priceLedger(subject, book, rollLedger(history, request.span));
  return costingOfLook(history, book, () => priceLedger(subject, book, cacheReadings(history.usage)));
}

/** As `priceUse`, with the use that a ledger has. */
function priceLedger(
  { history, request, groups }: PricedSubject,
  book: PriceBook,
  ledger: UsageLedger,
): Costing {
  const input = { book, ledger, groupsOf: groups.groupsOf };
  return book === request.config.pricing ? keepClosed(input, history) : createCosting(input);
}

/** The days of one project are few, and of all others the ends of billing periods alone are asked for. */
function hasManySteps({ step, project }: ReportRequest): boolean {
  return step !== undefined && project === undefined;
}

/** Costs by row, and the lines of charges that are among them. */
interface GatheredCosts {
  readonly costs: readonly ScopedCost[];
  readonly charges: readonly CostLine[];
}

/**
 * The cost of each row, those of charges that are known included: step by step, and the dearest of each first.
 */
export function gatherCosts(
  subject: ReportSubject,
  book: PriceBook,
): GatheredCosts & { readonly costing: Costing } {
  const { top, by, span } = subject.request;
  const share = new EndpointShare(subject.history, span);
  const costing = by === 'endpoint' ? priceLedger(subject, book, share.ledger) : priceUse(subject, book);
  const shown = top === undefined ? subject : withDearest(subject, gatherStep(subject, costing, share), top);
  const steps = cutSubject(shown).map(step => gatherStep(step, costing, share));
  return {
    costing,
    costs: steps.flatMap(({ costs }) => costs.toSorted(dearestFirst)),
    charges: steps.flatMap(({ charges }) => charges),
  };
}

/** The subject with one row for all but the dearest; charges keep their own. */
function withDearest(subject: ReportSubject, { costs }: GatheredCosts, top: number): ReportSubject {
  const ranked = costs.filter(({ scope }) => scope.billingPeriod === undefined).toSorted(dearestFirst);
  return keepRows(subject, ranked.slice(0, top));
}

function gatherStep(subject: ReportSubject, costing: Costing, share: EndpointShare): GatheredCosts {
  const { by, span } = subject.request;
  const used = by === 'endpoint' ? cutByDay(span) : [span];
  const gathered = new Map<string, { readonly scope: RowScope; readonly tally: CostTally }>();
  const gather = (scope: RowScope, line: CostLine) => {
    const found = gathered.get(scope.key) ?? { scope, tally: new CostTally() };
    gathered.set(scope.key, found);
    found.tally.add(line);
  };
  if (by === 'endpoint') shareByEndpoint(subject, costing, { share, days: used }, gather);
  else {
    const isMeant = (project: UsageProject) => isInReport(subject.request, project);
    for (const line of costing.usageLines(span, isMeant)) {
      if (line.project !== undefined) gather(subject.rule.scopeOf(line.project), line);
    }
  }
  const charges = knownCharges(subject, costing, used);
  for (const line of subject.request.isShared ? shareAmongProjects(costing, charges) : charges) {
    const { project, foundOf } = line;
    const isOfProject = project !== undefined && (foundOf === undefined || subject.request.isShared);
    gather(isOfProject ? subject.rule.scopeOf(project) : subject.rule.chargeOf(line), line);
  }
  return { costs: [...gathered.values()].map(({ scope, tally }) => ({ scope, sum: tally.sum() })), charges };
}

/**
 * The charges of the billing periods that belong to the report, as far as use of their accounts is known. Where it is of one
 * project there are none, as they are its account's, but what takes off of closed billing periods what was found of it later.
 *
 * @param used the stretches in which the report has use.
 */
export function knownCharges(
  { history, request }: ReportSubject,
  costing: Costing,
  used: readonly Period[] = [request.span],
): CostLine[] {
  const isOfProject = request.project !== undefined;
  if (isOfProject && history.closings.length === 0) return [];
  const charges = history.accounts.flatMap(account => {
    const asOf = Math.min(request.now, history.usage.knownUntil(account) ?? 0);
    return costing.chargeLines(request.billedStretch, asOf, each => each === account, used);
  });
  if (!isOfProject) return charges;
  return charges.filter(
    ({ foundOf, project }) => foundOf !== undefined && project !== undefined && isInReport(request, project),
  );
}

function shareByEndpoint(
  { request, rule, onProgress }: ReportSubject,
  costing: Costing,
  { share, days }: { readonly share: EndpointShare; readonly days: readonly Period[] },
  gather: (scope: RowScope, line: CostLine) => void,
): void {
  for (const [index, day] of days.entries()) {
    const lines = costing.usageLines(day, project => isInReport(request, project));
    const byProject = Map.groupBy(lines, ({ project }) => project);
    for (const [project, lines] of byProject) {
      if (project === undefined) continue;
      const { endpointIds, weights } = share.weightsOf(project, day);
      const compute = lines.filter(({ kind }) => kind === 'usage');
      // What is stored or transferred is no endpoint's.
      for (const line of lines) if (line.kind === 'metered') gather(rule.scopeOf(project), line);
      for (const parts of shareLines(compute, weights)) {
        for (const [part, shared] of parts.entries())
          gather(rule.scopeOf(project, endpointIds[part]), shared);
      }
    }
    onProgress((index + 1) / days.length);
  }
}

/** Charges cut into the parts of projects, by the use of the whole billing periods that they are for. */
export function shareAmongProjects(costing: Costing, charges: readonly CostLine[]): CostLine[] {
  if (charges.length === 0) return [];
  const fromAt = minOf(charges.map(line => line.fromAt));
  const untilAt = maxOf(charges.map(line => line.untilAt));
  const accounts = new Set(charges.map(({ account }) => account));
  const used = costing.usageLines({ fromAt, untilAt }, ({ account }) => accounts.has(account));
  return shareCharges(charges, used, costing.membersOf);
}

/**
 * A costing by which the closed billing periods of a history cost what they did. Included hours are used up in order of
 * time, so that a bill can be worked out again as long as use is kept by the hour.
 */
export function keepClosed(
  input: CostingInput,
  { closings, keptFromAt, usage }: Pick<ReportHistory, 'closings' | 'keptFromAt' | 'usage'>,
): Costing {
  const projects = [...usage.projects, ...(usage.metered?.others ?? [])];
  const bills = closings.filter(isClosed).map(closed => readBill(closed, projects));
  return withClosed({
    costing: createCosting({ ...input, closed: bills }),
    billing: billingCalendar(input.book.billingPeriod),
    bills,
    isRecomputable: ({ fromAt }) => fromAt >= keptFromAt.hours,
  });
}
