import type { Config } from '../config/config.ts';
import { ConfigFailure, type Problem } from '../config/problem.ts';
import type { SourceFile } from '../config/source-file.ts';
import type { Period, ReportPeriod } from '../cost/calendar/calendar.ts';
import { namePeriodBefore } from '../cost/calendar/period-before.ts';
import { parsePeriod } from '../cost/calendar/report-period.ts';
import type { StepUnit } from '../cost/calendar/step.ts';
import type { ChangedSetting } from '../cost/finding/replayed-past.ts';
import { secondMs } from '../resources/duration.ts';
import { Failure } from '../resources/failure.ts';
import { compact } from '../resources/field.ts';
import { groupNamesOf, isOfOwners, ungrouped } from '../resources/grouping.ts';
import type { PriceBook } from '../resources/price-book.ts';
import { type ChosenProject, readChosenProject } from './chosen-project.ts';
import type { ReportSpan } from './format/report.ts';
import type { ReportAxis, ReportFormat, ReportKind } from './kind.ts';
import { refuseMismatch } from './option-check.ts';
import { type ReportOptions, usualPeriods } from './parameter.ts';

/** A report that can be made, as far as its options and the configuration tell. */
export interface ReportRequest {
  readonly kind: ReportKind;
  readonly format: ReportFormat;
  readonly by: ReportAxis;
  /** Whether `by` was given. */
  readonly isByGiven: boolean;
  /** The grouping of `by` group. */
  readonly grouping: string;
  /** The only group of a showback, or of why. */
  readonly group?: string;
  /** It ends no later than now. */
  readonly span: ReportSpan;
  /** The billing periods that begin in this stretch belong to the report, with their minimum charges. */
  readonly billedStretch: Period;
  /** Whether a period was asked for. */
  readonly isPeriodGiven: boolean;
  /** What the period is compared with. */
  readonly against?: Pick<ReportRequest, 'span' | 'billedStretch'> & {
    /** Whether both are as long as the one that is not over is known. */
    readonly isCut?: boolean;
    /** Whether that leaves out more than what is not read yet. */
    readonly isShortened?: boolean;
  };
  /** Epoch milliseconds, of a whole second. */
  readonly now: number;
  /** The only account that is reported. */
  readonly account?: string;
  /** The only project that is reported. */
  readonly project?: ChosenProject;
  readonly config: Config;
  readonly whatIf?: PriceBook;
  /** Settings whose past is replayed in place of findings. */
  readonly change?: ChangedSetting;
  /** Whether it is of findings that are done. */
  readonly isDone: boolean;
  /** Whether it is of operations that failed alone. */
  readonly isFailed: boolean;
  /** Whether charges of accounts are shared out to projects. */
  readonly isShared: boolean;
  readonly step?: StepUnit;
  /** How many of the dearest have rows of their own; absent for all. */
  readonly top?: number;
}

/** A report to be made. */
export interface ReportOrder {
  readonly kind: ReportKind;
  readonly options: ReportOptions;
  readonly config: Config;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Reads the options of a report and the files they name.
 *
 * @param onWarning called with each thing in a what-if price book that deserves a second look.
 * @throws Failure when they do not go together, ConfigFailure when a what-if price book has problems.
 */
export async function readRequest(
  { kind, options, config: configured, now: exactNow }: ReportOrder,
  onWarning: (warning: Problem) => void,
): Promise<ReportRequest> {
  refuseMismatch(kind, options);
  // Formats have whole seconds alone.
  const now = Math.floor(exactNow / secondMs) * secondMs;
  const config = await withPrices(configured, options.prices, now);
  const whatIf =
    options.whatIf === undefined ? undefined : await readWhatIf(options.whatIf, config, now, onWarning);
  const period = readPeriod(kind, options.period, config, now);
  const against = kind === 'why' ? readAgainst(options.against, period, config, now) : undefined;
  const by = options.by ?? usualAxis(kind, config);
  return {
    ...{ kind, format: options.format ?? 'table', by, isByGiven: options.by !== undefined },
    ...findGroup(by, options, config),
    ...spanOf(period, now),
    ...(against && { against: spanOf(against, now) }),
    now,
    ...chooseScope(options),
    config,
    ...(whatIf && { whatIf }),
    ...readChange(options),
    isDone: options.done === true,
    isFailed: options.failed === true,
    isShared: options.share === true,
    ...compact({ step: kind === 'months' ? 'month' : options.step, top: options.top }),
    isPeriodGiven: options.period !== undefined,
  };
}

/** What rows are for where nothing else is asked for. */
export function usualAxis(kind: ReportKind, { groupings }: Pick<Config, 'groupings'>): ReportAxis {
  if (kind === 'forecast') return 'account';
  if (kind === 'showback') return 'group';
  if (kind !== 'months') return 'project';
  return groupings.length > 0 ? 'group' : 'account';
}

function readChange({ suspendAfter, minCu }: ReportOptions): Pick<ReportRequest, 'change'> {
  if (suspendAfter === undefined && minCu === undefined) return {};
  return {
    change: compact({ delayMs: suspendAfter === undefined ? undefined : suspendAfter * secondMs, minCu }),
  };
}

/** The account and the project that alone are reported. */
function chooseScope({ account, project: given }: ReportOptions): Pick<ReportRequest, 'account' | 'project'> {
  const project = given === undefined ? undefined : readChosenProject(given, account);
  const name = project?.account ?? account;
  return { ...(name !== undefined && { account: name }), ...(project && { project }) };
}

function spanOf({ label, fromAt, untilAt, zone, billedStretch }: ReportPeriod, now: number) {
  return { span: { label, fromAt, untilAt: Math.min(untilAt, now), timezone: zone }, billedStretch };
}

function readPeriod(
  kind: ReportKind,
  given: string | undefined,
  { usage, pricing }: Config,
  now: number,
): ReportPeriod {
  const label = given ?? usualPeriods[kind];
  const period = parsePeriod(label, { now, zone: usage.timezone, billing: pricing?.billingPeriod });
  if (typeof period === 'string') throw new Failure(`--period: ${period}`, 'usage');
  return period;
}

function readAgainst(
  given: string | undefined,
  period: ReportPeriod,
  { usage, pricing }: Config,
  now: number,
): ReportPeriod {
  const context = { now, zone: usage.timezone, billing: pricing?.billingPeriod };
  const against = parsePeriod(given ?? namePeriodBefore(period, context), context);
  if (typeof against === 'string') throw new Failure(`--against: ${against}`, 'usage');
  return against;
}

/** The grouping of a report, and the group of a showback. */
function findGroup(
  by: ReportAxis,
  { group, grouping }: ReportOptions,
  config: Config,
): Pick<ReportRequest, 'grouping' | 'group'> {
  if (group === undefined) return { grouping: findGrouping(by, grouping, config) };
  const known = config.groupings.flatMap(grouping =>
    [...groupNamesOf(grouping), `${grouping.name}/${ungrouped}`].map(path => ({
      path,
      grouping: grouping.name,
    })),
  );
  const found = known.find(({ path }) => path === group || isOfOwners(path, group));
  if (found !== undefined) return { grouping: found.grouping, group: group.slice(found.grouping.length + 1) };
  const there = sayThere(known.map(({ path }) => path));
  throw new Failure(`--group: there is no group "${group}": ${there}`, 'usage');
}

function sayThere(names: readonly string[]): string {
  return names.length === 0 ? 'the configuration has none' : `there are ${names.join(', ')}`;
}

function findGrouping(by: ReportAxis, grouping: string | undefined, { groupings }: Config): string {
  const names = groupings.map(({ name }) => name);
  if (grouping !== undefined && !names.includes(grouping)) {
    throw new Failure(`--grouping: there is no grouping "${grouping}": ${sayThere(names)}`, 'usage');
  }
  const [first] = names;
  if (by === 'group' && first === undefined) {
    throw new Failure(
      '--by group needs a grouping: write one in the section groups of the configuration',
      'usage',
    );
  }
  return grouping ?? first ?? '';
}

/** The configuration with other prices, where these are given as the text of a file. */
async function withPrices(config: Config, text: string | undefined, now: number): Promise<Config> {
  if (text === undefined) return config;
  const readFile = () => ({ text, readableByAll: false });
  const { pricing } = await readBook('prices', config, now, readFile);
  return { ...config, pricing };
}

async function readBook(
  path: string,
  { groupings, accounts: configured }: Config,
  now: number,
  readFile?: (path: string) => SourceFile,
) {
  const { loadPriceBook } = await import('../config/load-price-book.ts');
  const { readSourceFile } = await import('../config/source-file.ts');
  const names = configured.map(({ name }) => name);
  const accounts = names.length > 0 ? names : undefined;
  const loaded = loadPriceBook(path, { readFile: readFile ?? readSourceFile, groupings, accounts, now });
  if ('problems' in loaded) throw new ConfigFailure(loaded.problems);
  return loaded;
}

async function readWhatIf(
  path: string,
  config: Config,
  now: number,
  onWarning: (warning: Problem) => void,
): Promise<PriceBook> {
  const { pricing } = config;
  const loaded = await readBook(path, config, now);
  for (const warning of loaded.warnings) onWarning(warning);
  const { displayCurrency } = loaded.pricing;
  if (pricing !== undefined && displayCurrency !== pricing.displayCurrency) {
    throw new Failure(
      `--what-if: ${path} shows ${displayCurrency} and the configuration ${pricing.displayCurrency}, which cannot be compared: write display_currency: ${pricing.displayCurrency} in it, with exchange_rates`,
      'usage',
    );
  }
  return loaded.pricing;
}
