import { ConfigFailure, Failure } from '../cli/failure.ts';
import type { Io } from '../cli/io.ts';
import type { Config } from '../config/config.ts';
import { renderProblem } from '../config/problem.ts';
import { parsePeriod } from '../cost/calendar/report-period.ts';
import type { PriceBook } from '../resources/price-book.ts';
import type { ReportSpan } from './format/report.ts';
import type { ReportAxis, ReportFlags, ReportFormat, ReportKind } from './kind.ts';

/** A report that can be made, as far as its flags and the configuration tell. */
export interface ReportRequest {
  readonly kind: ReportKind;
  readonly format: ReportFormat;
  readonly by: ReportAxis;
  /** Whether `by` was asked for. */
  readonly isByGiven: boolean;
  /** Of `--by group`. */
  readonly grouping: string;
  /** Not after now. */
  readonly span: ReportSpan;
  readonly now: number;
  readonly account?: string;
  readonly config: Config;
  readonly whatIf?: PriceBook;
}

/** The whole seconds of formats that have no others. */
const secondMs = 1000;

/** @throws Failure saying what to write instead. */
export async function readRequest(
  kind: ReportKind,
  flags: ReportFlags,
  config: Config,
  { io, now: exactNow }: { readonly io: Io; readonly now: number },
): Promise<ReportRequest> {
  refuseMismatch(kind, flags);
  const now = Math.floor(exactNow / secondMs) * secondMs;
  const whatIf = flags.whatIf === undefined ? undefined : await readWhatIf(flags.whatIf, config, { io, now });
  return {
    kind,
    format: flags.format,
    by: flags.by ?? 'project',
    isByGiven: flags.by !== undefined,
    grouping: findGrouping(flags, config),
    span: readSpan(kind, flags.period, { now, zone: config.usage.timezone }),
    now,
    ...(flags.account !== undefined && { account: flags.account }),
    config,
    ...(whatIf && { whatIf }),
  };
}

function refuseMismatch(kind: ReportKind, { by, format, whatIf }: ReportFlags): void {
  if (kind !== 'cost' && format === 'focus') {
    throw new Failure(`--format focus is for costs: write report cost, or another format`, 2);
  }
  if (kind !== 'cost' && whatIf !== undefined)
    throw new Failure('--what-if is for report cost: leave it out', 2);
  if (format === 'focus' && whatIf !== undefined) {
    throw new Failure('--format focus has one price for each line: leave --what-if out', 2);
  }
  if (format === 'focus' && by !== undefined) {
    throw new Failure('--format focus has a row for each charge, with its groups as tags: leave --by out', 2);
  }
  if (kind === 'keys' && by !== undefined && by !== 'account') {
    throw new Failure('API keys belong to accounts: leave --by out', 2);
  }
}

function readSpan(
  kind: ReportKind,
  given: string | undefined,
  context: { readonly now: number; readonly zone: string },
): ReportSpan {
  const label = given ?? (kind === 'usage' || kind === 'cost' ? 'this-month' : 'last-30d');
  const period = parsePeriod(label, context);
  if (typeof period === 'string') throw new Failure(`--period: ${period}`, 2);
  return { ...period, untilAt: Math.min(period.untilAt, context.now), timezone: context.zone };
}

function findGrouping({ by, grouping }: ReportFlags, { groupings }: Config): string {
  const names = groupings.map(({ name }) => name);
  if (grouping !== undefined && !names.includes(grouping)) {
    const known = names.length === 0 ? 'the configuration has none' : `there are ${names.join(', ')}`;
    throw new Failure(`--grouping: there is no grouping "${grouping}": ${known}`, 2);
  }
  const [first] = names;
  if (by === 'group' && first === undefined) {
    throw new Failure('--by group needs a grouping: write one in the section groups of the configuration', 2);
  }
  return grouping ?? first ?? '';
}

async function readWhatIf(
  path: string,
  { pricing, groupings }: Config,
  { io, now }: { readonly io: Io; readonly now: number },
): Promise<PriceBook> {
  const { loadPriceBook } = await import('../config/load-price-book.ts');
  const { readSourceFile } = await import('../config/source-file.ts');
  const loaded = loadPriceBook(path, { readFile: readSourceFile, groupings, now });
  if ('problems' in loaded) throw new ConfigFailure(loaded.problems);
  for (const warning of loaded.warnings) io.stderr(`warning: ${renderProblem(warning)}\n`);
  const { displayCurrency } = loaded.pricing;
  if (pricing !== undefined && displayCurrency !== pricing.displayCurrency) {
    throw new Failure(
      `--what-if: ${path} shows ${displayCurrency} and the configuration ${pricing.displayCurrency}, which cannot be compared: write display_currency: ${pricing.displayCurrency} in it, with exchange_rates`,
      2,
    );
  }
  return loaded.pricing;
}
