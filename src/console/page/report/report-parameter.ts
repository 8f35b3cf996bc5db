import * as v from 'valibot';
import type { ReportKind } from '../../../report/kind.ts';
import { parametersOf, wordsOf } from '../../../report/option-check.ts';
import {
  describeParameter,
  keyOf,
  type Parameter,
  type ParameterName,
  parameterNames,
  parameters,
  type ReportOptions,
} from '../../../report/parameter.ts';
import { usualAxis } from '../../../report/request.ts';
import { text } from '../../parameter.ts';

/** The types of files, by their format; the other formats are of terminals and texts. */
export const fileTypes = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  focus: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
} as const;

/** The parameters of a report as its address has them: those of the command, besides files of this machine. */
export function addressParameters(kind: ReportKind): Readonly<Record<string, v.GenericSchema>> {
  const names = parametersOf(kind).filter(name => !('isFile' in parameters[name]));
  return Object.fromEntries(names.map(name => [keyOf(name), fieldOf(kind, name)]));
}

/** A parameter of an address: a text, which is what is asked for. */
function fieldOf(kind: ReportKind, name: ParameterName): v.GenericSchema {
  const parameter: Parameter = parameters[name];
  const { placeholder, words, parser } = parameter;
  const about = describeParameter(parameter);
  const pick = (possible: readonly string[], said = about, example = '') =>
    v.pipe(v.picklist(possible, `one of ${possible.join(', ')}${example}`), v.description(said));
  // A file has no usual format.
  if (name === 'format')
    return pick(
      wordsOf(kind, name).filter(word => word in fileTypes),
      parameter.about,
      `, such as /reports/${kind}?format=csv`,
    );
  if (words !== undefined) return v.optional(pick(wordsOf(kind, name)));
  if (placeholder === undefined) return v.optional(pick(['yes']));
  if (parser === undefined) return v.pipe(text(), v.description(about));
  const isRead = (given: string) => parser.parse(given) !== undefined;
  return v.optional(v.pipe(v.string(), v.check(isRead, parser.expects), v.description(about)));
}

/** What a report has where a parameter with a choice of words is not asked for. */
export function sayUsual(kind: ReportKind, name: ParameterName): string {
  if (name === 'step') return 'the whole period';
  if (kind === 'findings') return 'finding';
  return kind === 'months' ? 'group, or else account' : usualAxis(kind, { groupings: [] });
}

/** The options that an address asks for, once its parameters are as they may be; an empty one is not asked for. */
export function readReportOptions(asked: Readonly<Record<string, string | undefined>>): ReportOptions {
  return Object.fromEntries(
    parameterNames.flatMap(name => {
      const { placeholder, parser }: Parameter = parameters[name];
      const given = asked[keyOf(name)] ?? '';
      if (given === '') return [];
      return [[name, placeholder === undefined || (parser === undefined ? given : parser.parse(given))]];
    }),
  );
}
