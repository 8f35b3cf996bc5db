import * as v from 'valibot';
import { groupNamesOf } from '../../../resources/grouping.ts';
import { writeMaybeInstant } from '../../answer-field.ts';
import { choosePeriod, offerPeriods } from '../../chosen-period.ts';
import { type ConsoleSources, definePage, type ReadContext } from '../../page.ts';
import { text } from '../../parameter.ts';
import { periodPicker } from '../../part/period-picker.ts';
import { writePeriod, writeReport } from '../../report-field.ts';
import { type KeyedRow, keyRows, keyTotals } from '../../report-row.ts';
import { type WhyAnswer, type WhyCause, type WhyQuery, type WhyReport, whyAnswer } from './why-answer.ts';
import { drawWhy } from './why-drawing.ts';

/** Why the cost of a period, or without prices its use, is another one than that of the period before. */
export const whyPage = definePage({
  path: '/cost/why',
  apiPath: '/cost/why',
  title: 'Why the cost changed',
  summary: 'Why the cost of a period is another one than that of the period before, or of another one.',
  isListed: false,
  words: ['compute_hour', 'awake', 'wake_up', 'billing_period', 'gone', 'gap'],
  query: v.object({
    period: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(200)), 'last-billing'),
    against: text(),
    account: text(),
    group: text(1000),
  }),
  answer: whyAnswer,
  titleOf: ({ has_prices }) => `Why the ${has_prices ? 'cost' : 'use'} changed`,
  read: readWhy,
  asOf: ({ why }) => why.generated_at,
  head: ({ periods }, { path, query }) => ({ actions: periodPicker(path, query, periods) }),
  draw: drawWhy,
});

async function readWhy(
  sources: ConsoleSources,
  { period, against, account, group }: WhyQuery,
  { now }: ReadContext,
): Promise<WhyAnswer> {
  const { config, reports } = sources;
  const known = {
    has_prices: config.pricing !== undefined,
    accounts: config.accounts.map(({ name }) => name),
    groups: config.groupings.flatMap(grouping => groupNamesOf(grouping)),
    periods: offerPeriods(config, now),
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
  const total = keyTotals(report);
  const why: WhyReport = {
    ...writeReport(report),
    against: writePeriod(compared.period),
    ...(known.has_prices
      ? { cost: compared.after, cost_before: compared.before, used_hours: null, used_hours_before: null }
      : { cost: null, cost_before: null, used_hours: compared.after, used_hours_before: compared.before }),
    comparable: compared.isComparable,
    difference: total?.decimal('difference') ?? null,
    compute_hours: total?.decimal('compute_hours') ?? null,
    summary: [...(report.summary ?? [])],
    causes: keyRows(report).map(writeCause),
  };
  return { ...known, why };
}

function writeCause(row: KeyedRow): WhyCause {
  const text = (key: string) => row.text(key) || null;
  return {
    level: row.count('level') ?? 1,
    kind: row.text('kind') ?? '',
    cause: row.text('cause') ?? '',
    account: text('account'),
    project_id: text('project_id'),
    project_name: text('project_name'),
    endpoint_id: text('endpoint_id'),
    difference: row.decimal('difference'),
    no_difference: row.reason('difference') ?? null,
    compute_hours: row.decimal('compute_hours'),
    awake_hours: row.decimal('awake_hours'),
    since: writeMaybeInstant(row.count('since')),
    until: writeMaybeInstant(row.count('until')),
    evidence: text('evidence'),
  };
}
