import type { ReportSubject } from './content.ts';
import { titleOfColumn } from './format/report.ts';
import { showInstant } from './format/shown-cell.ts';
import type { MeteredColumn } from './metered-column.ts';
import { unattributed } from './row/scope.ts';

/** Sentences on the columns of what is metered: by what they are, what they consist of, and how far the meter is read. */
export function describeMetered(subject: ReportSubject, columns: readonly MeteredColumn[]): string[] {
  const shown = columns.filter(({ isForPrograms }) => isForPrograms !== true);
  const isSum = shown.some(({ metrics }) => metrics.length > 1);
  return [
    `${sayList(shown.map(titleOfColumn))} ${shown.length === 1 ? 'is' : 'are'} what the meter of the service says, before anything is free of charge.`,
    ...(isSum && subject.request.format !== 'json'
      ? [
          'Storage is that of branches, instant restore and snapshots together, and transfer is public and private: csv and json have each by itself.',
        ]
      : []),
    ...(subject.request.by === 'endpoint'
      ? [`The meter counts by project: storage, transfer and branches are ${unattributed} of endpoints.`]
      : []),
    ...subject.history.accounts.flatMap(account => describeAccount(subject, account)),
  ];
}

function describeAccount({ history, request }: ReportSubject, account: string): string[] {
  const { fromAt, untilAt, timezone } = request.span;
  const known = history.usage.metered?.knownSpan(account);
  if (known === undefined) return [`The meter of account ${account} is not read.`];
  const show = (at: number) => showInstant(at, timezone);
  if (known.fromAt > fromAt)
    return [`The meter of account ${account} tells nothing before ${show(known.fromAt)}.`];
  return known.untilAt < untilAt
    ? [`What was metered of account ${account} after ${show(known.untilAt)} may still grow.`]
    : [];
}

function sayList(words: readonly string[]): string {
  const [first = '', ...others] = words;
  const last = others.pop();
  const text = last === undefined ? first : `${[first, ...others].join(', ')} and ${last}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
