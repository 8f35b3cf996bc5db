import { Failure } from '../resources/failure.ts';
import type { ReportKind, ReportOptions } from './kind.ts';

/** @throws Failure with what to leave out where options of a report do not go together. */
export function refuseMismatch(kind: ReportKind, options: ReportOptions): void {
  const { by, format, whatIf, share, step, top, focusVersion, group, grouping, done, against, project } =
    options;
  const isChange = options.suspendAfter !== undefined || options.minCu !== undefined;
  const isShowback = kind === 'showback';
  const isFocus = format === 'focus';
  const faults: readonly (readonly [isFault: boolean, advice: string])[] = [
    [!isShowback && format === 'html', '--format html is for report showback: write another format'],
    [
      !isShowback && kind !== 'why' && group !== undefined,
      '--group is for report showback and report why: write --by group, or leave it out',
    ],
    [
      group !== undefined && grouping !== undefined,
      '--group names its grouping already: leave --grouping out',
    ],
    [isShowback && by !== undefined, 'a show-back is by group: leave --by out'],
    [
      project !== undefined && !isChange && !['usage', 'cost', 'forecast', 'operations'].includes(kind),
      '--project is for report usage, cost, forecast and operations: leave it out',
    ],
    [
      kind === 'forecast' && by !== undefined && by !== 'project' && by !== 'account',
      'report forecast is of accounts or projects: write --by account or --by project, or --project such as main/p-1',
    ],
    [
      kind === 'forecast' && ((project !== undefined && by !== undefined) || options.period !== undefined),
      'report forecast has a row for each quantity of the billing period now: leave --by and --period out',
    ],
    [
      project !== undefined && (isFocus || by === 'line' || share === true),
      'charges are of an account and not of a project: leave --project, or --format focus, --by line and --share out',
    ],
    [
      isChange && (kind !== 'findings' || project === undefined || done === true || by !== undefined),
      '--suspend-after and --min-cu are for findings of one project: write report findings --project, without --done and --by',
    ],
    [kind !== 'findings' && done === true, '--done is for report findings: leave it out'],
    [done === true && by !== undefined, '--done has a row for each finding: leave --by out'],
    [kind !== 'why' && against !== undefined, '--against is for report why: leave it out'],
    [kind === 'why' && by !== undefined, 'report why has a row for each cause: leave --by out'],
    [kind !== 'cost' && isFocus, '--format focus is for costs: write report cost, or another format'],
    [kind !== 'cost' && whatIf !== undefined, '--what-if is for report cost: leave it out'],
    [isFocus && whatIf !== undefined, '--format focus has one price for each line: leave --what-if out'],
    [
      isFocus && by !== undefined,
      '--format focus has a row for each charge, with its groups as tags: leave --by out',
    ],
    [
      kind === 'budgets' && [by, grouping, options.account].some(each => each !== undefined),
      'report budgets has a row for each budget: leave --by, --grouping and --account out',
    ],
    [kind === 'keys' && by !== undefined && by !== 'account', 'API keys belong to accounts: leave --by out'],
    [kind !== 'cost' && by === 'line', '--by line has the lines of a bill: write report cost'],
    [
      by === 'line' && (share === true || whatIf !== undefined),
      '--by line has the lines of a bill: leave --share and --what-if out',
    ],
    [
      kind !== 'cost' && kind !== 'months' && share === true,
      '--share is for report cost and report months: leave it out',
    ],
    [isFocus && share === true, '--format focus has a row for each charge: leave --share out'],
    [
      by === 'endpoint' && share === true,
      '--share gives charges to projects: write --by project, or leave it out',
    ],
    [
      kind !== 'cost' && kind !== 'usage' && step !== undefined,
      '--step is for report usage and report cost: leave it out',
    ],
    [
      kind !== 'cost' && kind !== 'usage' && top !== undefined,
      '--top is for report usage and report cost: leave it out',
    ],
    [
      top !== undefined && (isFocus || by === 'line' || whatIf !== undefined),
      '--top adds up rows: leave it out, or leave --format focus, --by line and --what-if out',
    ],
    [step !== undefined && whatIf !== undefined, '--what-if compares whole periods: leave --step out'],
    [
      focusVersion !== undefined && !isFocus,
      '--focus-version is for --format focus: write it too, or leave both out',
    ],
  ];
  const fault = faults.find(([isFault]) => isFault);
  if (fault !== undefined) throw new Failure(fault[1], 'usage');
}
