import { Failure } from '../resources/failure.ts';
import { type ReportAxis, type ReportFormat, type ReportKind, reportAxes } from './kind.ts';
import {
  flagOf,
  joinKinds,
  ofOneProject,
  type Parameter,
  type ParameterName,
  parameterNames,
  parameters,
  type ReportOptions,
} from './parameter.ts';

/** An option, or one with a word. */
type Given = ParameterName | `by=${ReportAxis}` | `format=${ReportFormat}`;

const axesBut = (...besides: readonly ReportAxis[]) =>
  reportAxes.filter(axis => !besides.includes(axis)).map(axis => `by=${axis}` as const);
const ofOneQuantity =
  'report forecast has a row for each quantity of the billing period now: leave --by and --period out';

/** Words that are of one report alone. */
const ownWords: Partial<Record<Given, readonly [of: ReportKind, advice: string]>> = {
  'by=line': ['cost', '--by line has the lines of a bill: write report cost'],
  'by=operation': ['operations', '--by operation has single operations: write report operations'],
  'format=focus': ['cost', '--format focus is for costs: write report cost, or another format'],
  'format=html': ['showback', '--format html is for report showback: write another format'],
};

/** What does not go together: all of the first with one of `not`, or with none of `needs`. */
interface Clash {
  readonly of: readonly (Given | ReportKind)[];
  readonly not?: readonly Given[];
  readonly needs?: readonly Given[];
  readonly advice: string;
}

/** The first of those that are of a report alone are options that it does not take, whatever it is given besides. */
const clashes: readonly Clash[] = [
  {
    of: ['budgets'],
    not: ['by', 'grouping', 'account'],
    advice: 'report budgets has a row for each budget: leave --by, --grouping and --account out',
  },
  {
    of: ['forecast'],
    not: axesBut('project', 'account'),
    advice:
      'report forecast is of accounts or projects: write --by account or --by project, or --project such as main/p-1',
  },
  { of: ['forecast'], not: ['period'], advice: ofOneQuantity },
  { of: ['keys'], not: axesBut('account'), advice: 'API keys belong to accounts: leave --by out' },
  { of: ['showback'], not: ['by'], advice: 'a showback is by group: leave --by out' },
  { of: ['why'], not: ['by'], advice: 'report why has a row for each cause: leave --by out' },
  { of: ['group'], not: ['grouping'], advice: '--group names its grouping already: leave --grouping out' },
  { of: ['forecast', 'project'], not: ['by'], advice: ofOneQuantity },
  {
    of: ['project'],
    not: ['format=focus', 'by=line', 'share'],
    advice:
      'charges are of an account and not of a project: leave --project, or --format focus, --by line and --share out',
  },
  ...(['suspendAfter', 'minCu'] as const).map((each): Clash => {
    return { of: [each], not: ['done', 'by'], needs: ['project'], advice: ofOneProject };
  }),
  {
    of: ['findings', 'project'],
    needs: ['suspendAfter', 'minCu'],
    advice:
      '--project of report findings goes with --suspend-after or --min-cu: write one of them, or leave it out',
  },
  { of: ['done'], not: ['by'], advice: '--done has a row for each finding: leave --by out' },
  {
    of: ['format=focus'],
    not: ['whatIf'],
    advice: '--format focus has one price for each line: leave --what-if out',
  },
  {
    of: ['format=focus'],
    not: ['by'],
    advice: '--format focus has a row for each charge, with its groups as tags: leave --by out',
  },
  {
    of: ['format=focus'],
    not: ['share'],
    advice: '--format focus has a row for each charge: leave --share out',
  },
  {
    of: ['by=line'],
    not: ['share', 'whatIf'],
    advice: '--by line has the lines of a bill: leave --share and --what-if out',
  },
  {
    of: ['by=endpoint'],
    not: ['share'],
    advice: '--share gives charges to projects: write --by project, or leave it out',
  },
  {
    of: ['top'],
    not: ['format=focus', 'by=line', 'whatIf'],
    advice: '--top adds up rows: leave it out, or leave --format focus, --by line and --what-if out',
  },
  { of: ['step'], not: ['whatIf'], advice: '--what-if compares whole periods: leave --step out' },
  {
    of: ['focusVersion'],
    needs: ['format=focus'],
    advice: '--focus-version is for --format focus: write it too, or leave both out',
  },
];

/** @throws Failure with what to leave out where options of a report do not go together. */
export function refuseMismatch(kind: ReportKind, options: ReportOptions): void {
  const names = parameterNames.filter(name => options[name] !== undefined && options[name] !== false);
  const given = names.flatMap(name => [name, `${name}=${options[name]}` as Given]);
  const isGiven = (each: Given | ReportKind) => each === kind || given.some(other => other === each);
  const advice =
    given.map(each => refusalOf(kind, each)).find(each => each !== undefined) ??
    clashes.find(
      ({ of, not = [], needs }) =>
        of.every(isGiven) && (not.some(isGiven) || (needs !== undefined && !needs.some(isGiven))),
    )?.advice;
  if (advice !== undefined) throw new Failure(advice, 'usage');
}

/** The parameters that a report takes. */
export function parametersOf(kind: ReportKind): readonly ParameterName[] {
  return parameterNames.filter(name => refusalOf(kind, name) === undefined);
}

/** The words that a report takes for one of its parameters; none where it takes any text. */
export function wordsOf(kind: ReportKind, name: ParameterName): readonly string[] {
  const { words = [] }: Parameter = parameters[name];
  return words.filter(word => refusalOf(kind, `${name}=${word}` as Given) === undefined);
}

/** Why a report does not take an option, whatever it is given besides. */
function refusalOf(kind: ReportKind, each: Given): string | undefined {
  const own = clashes.find(({ of, not }) => of.length === 1 && of[0] === kind && not?.includes(each));
  if (own !== undefined) return own.advice;
  const [owner, advice] = ownWords[each] ?? [];
  if (owner !== undefined && owner !== kind) return advice;
  const name = parameterNames.find(other => other === each);
  if (name === undefined) return undefined;
  const { reports = [kind], refusal }: Parameter = parameters[name];
  if (reports.includes(kind)) return undefined;
  return refusal ?? `${flagOf(name)} is for report ${joinKinds(reports)}: leave it out`;
}
