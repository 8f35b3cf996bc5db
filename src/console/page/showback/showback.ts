import { choosePeriod, offerPeriods } from '../../chosen-period.ts';
import { type ConsoleSources, definePage, type ReadContext } from '../../page.ts';
import { periodPicker } from '../../part/period-picker.ts';
import { writeReport } from '../../report-field.ts';
import { type ShowbackAnswer, type ShowbackQuery, showbackAnswer, showbackQuery } from './showback-answer.ts';
import { drawShowback } from './showback-drawing.ts';

/** What each group pays for, to be read, sent and printed. */
export const showbackPage = definePage({
  path: '/showback',
  title: 'Showback',
  within: '/cost',
  summary:
    'What each group used, costs and could save, a page for each, as the command report showback has it.',
  words: ['group', 'compute_hour', 'billing_period', 'forecast_band'],
  query: showbackQuery,
  answer: showbackAnswer,
  read: readShowback,
  asOf: ({ showback }) => showback?.generated_at,
  head: (answer, { path, query }) => ({ actions: periodPicker(path, query, answer) }),
  draw: drawShowback,
});

async function readShowback(
  { config, reports }: ConsoleSources,
  { period, grouping: asked, group, account }: ShowbackQuery,
  { now }: ReadContext,
): Promise<ShowbackAnswer> {
  const groupings = config.groupings.map(({ name }) => name);
  const known = {
    has_prices: config.pricing !== undefined,
    groupings,
  };
  choosePeriod(config, period, now);
  const [grouping] = [group.split('/')[0] || asked || groupings[0]];
  if (!known.has_prices || grouping === undefined) {
    return { ...known, ...offerPeriods(config, now), showback: null };
  }
  const report = await reports.ask('showback', {
    period,
    ...(group === '' ? { grouping } : { group }),
    ...(account !== '' && { account }),
  });
  return {
    ...known,
    ...offerPeriods(config, now, report.firstKnownAt),
    showback: { ...writeReport(report), grouping, pages: [...(report.pages ?? [])] },
  };
}
