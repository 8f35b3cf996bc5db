import type { InferInput } from 'valibot';
import { groupNamesOf } from '../../../resources/grouping.ts';
import { choosePeriod, offerPeriods } from '../../chosen-period.ts';
import { type ConsoleSources, definePage, type ReadContext } from '../../page.ts';
import { periodPicker } from '../../part/period-picker.ts';
import { writePeriod, writeReport } from '../../report-field.ts';
import { readRows, readTotals } from '../../report-row.ts';
import { type WhyQuery, whyAnswer, whyQuery } from './why-answer.ts';
import { drawWhy } from './why-drawing.ts';

/** Why the cost of a period, or without prices its use, is another one than that of the period before. */
export const whyPage = definePage({
  path: '/cost/why',
  title: 'Why the cost changed',
  summary: 'Why the cost of a period is another one than that of the period before, or of another one.',
  words: ['compute_hour', 'awake', 'wake_up', 'billing_period', 'gone', 'gap'],
  query: whyQuery,
  answer: whyAnswer,
  titleOf: ({ has_prices }) => `Why the ${has_prices ? 'cost' : 'use'} changed`,
  read: readWhy,
  asOf: ({ why }) => why.generated_at,
  head: (answer, { path, query }) => ({ actions: periodPicker(path, query, answer) }),
  draw: drawWhy,
});

async function readWhy(
  sources: ConsoleSources,
  { period, against, account, group }: WhyQuery,
  { now }: ReadContext,
): Promise<InferInput<typeof whyAnswer>> {
  const { config, reports } = sources;
  const known = {
    has_prices: config.pricing !== undefined,
    accounts: config.accounts.map(({ name }) => name),
    groups: config.groupings.flatMap(grouping => groupNamesOf(grouping)),
  };
  for (const word of against === '' ? [period] : [period, against]) choosePeriod(config, word, now);
  const report = await reports.ask('why', {
    period,
    ...(against !== '' && { against }),
    ...(account !== '' && { account }),
    ...(group !== '' && { group }),
  });
  const compared = report.against;
  if (compared === undefined) throw new Error('the report has no period to compare with');
  const total = readTotals<'why'>(report);
  const why = {
    ...writeReport(report),
    against: writePeriod(compared.period),
    ...(known.has_prices
      ? { cost: compared.after, cost_before: compared.before, used_hours: null, used_hours_before: null }
      : { cost: null, cost_before: null, used_hours: compared.after, used_hours_before: compared.before }),
    comparable: compared.isComparable,
    difference: total?.difference ?? null,
    compute_hours: total?.compute_hours ?? null,
    summary: [...(report.summary ?? [])],
    causes: readRows<'why'>(report).map(({ level, kind, cause, missing, ...row }) => ({
      ...{ ...row, level: level ?? 1, kind: kind ?? '', cause: cause ?? '' },
      no_difference: missing.difference ?? null,
    })),
  };
  return { ...known, ...offerPeriods(config, now, report.firstKnownAt), why };
}
