import type { Examination } from './examination.ts';

export const examinationFormats = ['table', 'json'] as const;
export type ExaminationFormat = (typeof examinationFormats)[number];

/** The findings on a history, for people or for programs. */
export function renderExamination(examination: Examination, format: ExaminationFormat): string {
  return format === 'json' ? renderJson(examination) : renderTable(examination);
}

function renderTable({ file, sizeBytes, format, flaws, holding }: Examination): string {
  const rows = [
    ['size', `${count(sizeBytes)} bytes`],
    ['format', format],
    ['accounts', holding?.accounts.join(', ')],
    ['projects', count(holding?.projects)],
    ['endpoints', count(holding?.endpoints)],
    ['operations', count(holding?.operations)],
    ['closed periods', count(holding?.closedPeriods)],
    ['known from', instant(holding?.fromAt)],
    ['known until', instant(holding?.untilAt)],
  ] as const;
  const width = rows.reduce((most, [name]) => Math.max(most, name.length), 0);
  const lines = rows.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`  ${name.padEnd(width)}  ${value}`],
  );
  const problems = flaws.map(
    ({ table, problem }) => `  problem: ${table === undefined ? '' : `table ${table}: `}${problem}`,
  );
  const verdict = flaws.length === 0 ? 'sound' : 'not sound';
  return `${[`${file}: ${verdict}`, ...lines, ...problems].join('\n')}\n`;
}

function renderJson({ file, sizeBytes, format, flaws, holding }: Examination): string {
  const told = {
    file,
    is_sound: flaws.length === 0,
    size_bytes: sizeBytes,
    format,
    problems: flaws,
    accounts: holding?.accounts,
    projects: holding?.projects,
    endpoints: holding?.endpoints,
    operations: holding?.operations,
    closed_periods: holding?.closedPeriods,
    known_from: instant(holding?.fromAt),
    known_until: instant(holding?.untilAt),
  };
  return `${JSON.stringify(told, undefined, 2)}\n`;
}

function count(value: number | undefined): string | undefined {
  return value?.toLocaleString('en-US');
}

function instant(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
