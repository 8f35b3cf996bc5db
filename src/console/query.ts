import * as v from 'valibot';
import { PageProblem, PeriodProblem } from './page-problem.ts';
import { readDays } from './part/period-picker.ts';

/** The parameters of a path and of a query, each given once. */
type Given = Readonly<Record<string, string>>;

/**
 * Reads the parameters of a page.
 *
 * @throws PageProblem that names each wrong one with what is possible.
 */
export function readQuery(schema: v.GenericSchema, path: Given, search: string): unknown {
  let given: Record<string, string> = {};
  for (const [key, value] of new URLSearchParams(search)) {
    if (Object.hasOwn(given, key) || Object.hasOwn(path, key)) {
      throw new PageProblem(400, 'This address cannot be read', `It has "${shorten(key)}" more than once.`);
    }
    given[key] = value;
  }
  const known = parametersOf(schema);
  const { from, to, ...rest } = given;
  // Two days of a form, where one period is asked for.
  const days =
    known.includes('period') && !known.includes('from') && from && to ? readDays(from, to) : undefined;
  if (days !== undefined && from && to && to < from) {
    const turned = `?${new URLSearchParams({ ...rest, from: to, to: from })}`;
    throw new PeriodProblem(400, 'To is before From', `From is ${from}, and To is ${to}.`, [
      { address: turned, words: `${to} to ${from}` },
    ]);
  }
  if (days !== undefined) given = { ...rest, period: days };
  const unknown = Object.keys(given).filter(key => !known.includes(key));
  if (unknown.length > 0) {
    const names = unknown.map(key => `"${shorten(key)}"`).join(', ');
    throw new PageProblem(
      400,
      'This address cannot be read',
      `It asks for ${names}, which this page does not know.`,
      known.filter(key => !Object.hasOwn(path, key)),
    );
  }
  // A form without scripts sends its empty fields as well.
  const written = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const read = v.safeParse(schema, { ...requiredOf(schema), ...written, ...path });
  if (read.success) return read.output;
  const { issues } = read;
  const faults = issues.map(issue => {
    const key = String(issue.path?.[0]?.key ?? '');
    const found = given[key] ?? path[key] ?? '';
    return found === '' ? `"${shorten(key)}" is missing` : `"${shorten(key)}" is "${shorten(found)}"`;
  });
  throw new PageProblem(
    400,
    'This address cannot be read',
    `In it ${[...new Set(faults)].join(', and ')}.`,
    issues.map(issue => `${String(issue.path?.[0]?.key ?? '')}: ${issue.message}`),
  );
}

/** Nothing for each parameter that must be there: its own message then says what is possible. */
function requiredOf(schema: v.GenericSchema): Given {
  const entries = 'entries' in schema ? Object.entries(schema.entries as v.ObjectEntries) : [];
  return Object.fromEntries(entries.filter(([, { type }]) => type !== 'optional').map(([key]) => [key, '']));
}

/** The names of the parameters that a schema has. */
export function parametersOf(schema: v.GenericSchema): readonly string[] {
  return 'entries' in schema ? Object.keys(schema.entries as object) : [];
}

/** A value as it is said back: not all of ten thousand characters of it. */
function shorten(found: string): string {
  return found.length > 60 ? `${found.slice(0, 59)}…` : found;
}
