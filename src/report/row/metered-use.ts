import { type Amount, addAmounts, amountOfUse } from '../../cost/money/money.ts';
import { unitOf } from '../../cost/price/metered-tariff.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import type { Span } from '../../resources/duration.ts';
import { type MeterMetric, meterMetrics } from '../../resources/meter.ts';
import type { MeterRules } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';

/** Metered amounts, in compute hours and in the units that are billed; an unknown one is absent. */
export type MeteredUse = Readonly<Partial<Record<MeterMetric, Amount>>>;

/** Metered use of projects in stretches of time. */
export class MeteredReading {
  readonly #history: ReportHistory;
  readonly #rules: MeterRules | undefined;
  readonly #told: ReadonlyMap<number, readonly MeterMetric[]>;

  /** @param rules how the service counts; the usual ones by default. */
  constructor(history: ReportHistory, rules?: MeterRules) {
    this.#history = history;
    this.#rules = rules;
    this.#told = history.usage.metered === undefined ? new Map() : history.meter.metrics();
  }

  /** All projects, also ones that the meter alone tells of. */
  get projects(): readonly UsageProject[] {
    const { projects, metered } = this.#history.usage;
    return [...projects, ...(metered?.others ?? [])];
  }

  /** The metrics that were told of any project. */
  get metrics(): ReadonlySet<MeterMetric> {
    return new Set(this.projects.flatMap(({ project_ref }) => this.#told.get(project_ref) ?? []));
  }

  useOf(project: UsageProject, span: Span): MeteredUse {
    const told = this.#told.get(project.project_ref) ?? [];
    const amounts = told.flatMap(metric => {
      const parts = this.#amountOf(project, metric, span);
      return parts === undefined ? [] : [[metric, this.#toUnits(metric, parts)]];
    });
    return Object.fromEntries(amounts);
  }

  /** CU-milliseconds; undefined where they are not known. */
  computeOf(project: UsageProject, span: Span): number | undefined {
    const told = this.#told.get(project.project_ref) ?? [];
    if (!told.includes('compute_unit_seconds')) return undefined;
    const seconds = this.#amountOf(project, 'compute_unit_seconds', span);
    return seconds === undefined ? undefined : 1000 * seconds;
  }

  /** Of newer time than is settled, as much as was told already. */
  #amountOf(
    { project_ref, account }: UsageProject,
    metric: MeterMetric,
    { fromAt, untilAt }: Span,
  ): number | undefined {
    const { metered } = this.#history.usage;
    const known = metered?.knownSpan(account);
    if (metered === undefined || known === undefined || untilAt <= known.fromAt) return undefined;
    const amount =
      metered.meteredUntil(project_ref, metric, untilAt) - metered.meteredUntil(project_ref, metric, fromAt);
    return amount === 0 && fromAt >= known.untilAt ? undefined : amount;
  }

  #toUnits(metric: MeterMetric, parts: number): Amount {
    if (metric === 'compute_unit_seconds') return amountOfUse(1000 * parts);
    return amountOfUse(parts, '1', unitOf(metric, this.#rules).parts);
  }
}

/** The parts that are known of both. */
export function addMetered(a: MeteredUse, b: MeteredUse): MeteredUse {
  const sum: Partial<Record<MeterMetric, Amount>> = { ...a };
  for (const metric of meterMetrics) {
    const [known, other] = [a[metric], b[metric]];
    if (other !== undefined) sum[metric] = known === undefined ? other : addAmounts(known, other);
  }
  return sum;
}
