import { numberOf, type TextParser, wholeNumber } from '../resources/text-parser.ts';
import {
  focusVersion,
  type ReportKind,
  reportAxes,
  reportFormats,
  reportKinds,
  reportSteps,
} from './kind.ts';

/** Something that a report can be asked for: a flag of the command, a parameter of its address, a field of its form. */
export interface Parameter {
  /** What it is, in help and in the document of `/api/v1`. */
  readonly about: string;
  /** What stands for its value in help; without one it is asked for or not. */
  readonly placeholder?: string;
  /** What is reported where it is not asked for. */
  readonly usual?: string;
  /** The values that it takes, or how they are read; any text without both. */
  readonly words?: readonly string[];
  readonly parser?: TextParser<unknown>;
  /** The reports that it is for; all where none is named. */
  readonly reports?: readonly ReportKind[];
  /** What is said where a report does not take it, if that is more than which ones do. */
  readonly refusal?: string;
  /** Its name in a form, which has those alone that have one. */
  readonly label?: string;
  /** Whether it names a file of this machine, which no address may. */
  readonly isFile?: true;
}

/** The period that each report is of unless another one is asked for. */
export const usualPeriods: Readonly<Record<ReportKind, string>> = {
  usage: 'this-month',
  cost: 'this-month',
  showback: 'this-month',
  why: 'last-billing',
  months: 'last-3-months',
  budgets: 'billing',
  forecast: 'billing',
  keys: 'last-30d',
  operations: 'last-30d',
  findings: 'last-30d',
};

/** What is said of the two that replay the past of one project. */
export const ofOneProject =
  '--suspend-after and --min-cu are for findings of one project: write report findings --project, without --done and --by';
const mostCu = 1000;

/** All that reports can be asked for, in the order of help. What goes together is in `option-check.ts`. */
export const parameters = {
  period: {
    placeholder: 'period',
    about:
      'such as 2026-10, 2026-Q4, this-month, last-month, last-3-months, last-30d, 2026-09..2026-11, 2026-10-01..2026-11-01, or a billing period: billing, last-billing, billing:2026-10',
    usual: `${describeUsualPeriods()}; forecasts and budgets are of now`,
  },
  against: {
    placeholder: 'period',
    about: 'the period to compare with',
    usual: 'the one before',
    reports: ['why'],
  },
  by: {
    placeholder: 'what',
    about: 'what a row is for',
    usual: 'project; account for forecast, the groups for months; findings have one each',
    words: reportAxes,
    label: 'A row for each',
  },
  format: {
    placeholder: 'format',
    about: 'how it is written: focus is the FinOps cost CSV, for cost alone; html for showback alone',
    usual: 'table; markdown for showback',
    words: reportFormats,
  },
  grouping: {
    placeholder: 'name',
    about: 'the grouping whose groups have rows',
    usual: 'the first of the configuration',
  },
  group: {
    placeholder: 'group',
    about: 'one group, such as team/platform',
    usual: 'all; a page for each',
    reports: ['showback', 'why'],
    refusal: '--group is for report showback and why: write --by group, or leave it out',
  },
  account: {
    placeholder: 'name',
    about: 'this account alone',
    usual: 'those of the configuration, or all of the history',
  },
  project: {
    placeholder: 'account/project_id',
    about: 'this project alone, without the charges of its account',
    reports: ['usage', 'cost', 'forecast', 'operations', 'findings'],
  },
  suspendAfter: {
    placeholder: 'seconds',
    about:
      'what suspending the endpoints of one project so long after their last use would have saved, in place of findings',
    parser: wholeNumber(0, 604_800),
    reports: ['findings'],
    refusal: ofOneProject,
  },
  minCu: {
    placeholder: 'size',
    about: 'what this smallest size in compute units would have saved for one project, in place of findings',
    parser: numberOf(
      /^\d{1,4}(\.\d{1,3})?$/,
      `a number of compute units up to ${mostCu}, such as 0.25`,
      size => size <= mostCu,
    ),
    reports: ['findings'],
    refusal: ofOneProject,
  },
  done: {
    about: 'those whose cause is gone, with what that saves',
    reports: ['findings'],
  },
  failed: {
    about: 'operations that failed, alone',
    reports: ['operations'],
  },
  step: {
    placeholder: 'unit',
    about: 'a row for each day, week or month',
    words: reportSteps,
    reports: ['usage', 'cost'],
    label: 'In each',
  },
  top: {
    placeholder: 'count',
    about: 'how many of the dearest, the most used or the largest causes have rows; all others share one',
    parser: wholeNumber(1, 10_000),
    reports: ['usage', 'cost', 'why'],
  },
  share: {
    about: 'share minimums and other charges of an account out to its projects, and so to groups and regions',
    reports: ['cost', 'months'],
  },
  focusVersion: {
    placeholder: 'version',
    about: `the version of the format focus, which is ${focusVersion} alone`,
    words: [focusVersion],
    reports: ['cost'],
  },
  whatIf: {
    placeholder: 'path',
    about: 'compare with a price book in another file, for the same usage',
    reports: ['cost'],
    isFile: true,
  },
} as const satisfies Readonly<Record<string, Parameter>>;

export type ParameterName = keyof typeof parameters;
export const parameterNames = Object.keys(parameters) as readonly ParameterName[];

/** What a report is asked for. */
export type ReportOptions = {
  readonly [Name in ParameterName]?: ValueOf<(typeof parameters)[Name]>;
} & {
  /** The text of a section `pricing` in place of the configured one. */
  readonly prices?: string;
};

type ValueOf<Of extends Parameter> = Of extends { readonly words: readonly (infer Word)[] }
  ? Word
  : Of extends { readonly parser: TextParser<infer Value> }
    ? Value
    : Of extends { readonly placeholder: string }
      ? string
      : boolean;

/** The flag of a parameter, `--suspend-after`. */
export function flagOf(name: ParameterName): string {
  return `--${name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}

/** The parameter of an address, `suspend_after`. */
export function keyOf(name: ParameterName): string {
  return name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

/** What a parameter is, and what is reported without it. */
export function describeParameter({ about, usual }: Parameter): string {
  return usual === undefined ? about : `${about} (default: ${usual})`;
}

/** The names of reports in a sentence: `usage, cost and showback`. */
export function joinKinds(kinds: readonly ReportKind[]): string {
  return [kinds.slice(0, -1).join(', '), ...kinds.slice(-1)].filter(each => each !== '').join(' and ');
}

function describeUsualPeriods(): string {
  const taken = reportKinds.filter(kind => kind !== 'forecast' && kind !== 'budgets');
  const kinds = Map.groupBy(taken, kind => usualPeriods[kind]);
  return [...kinds].map(([period, each]) => `${period} for ${joinKinds(each)}`).join(', ');
}
