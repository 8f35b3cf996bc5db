import * as v from 'valibot';
import { reportSteps } from '../../../report/kind.ts';
import { choosePeriod, offerPeriods } from '../../chosen-period.ts';
import { type ConsoleSources, definePage, hasHistory, type ReadContext } from '../../page.ts';
import { maybeChoice, text } from '../../parameter.ts';
import { readBudgetDays } from './budget-day.ts';
import { type CostAnswer, type CostBudget, costAnswer } from './cost-answer.ts';
import { drawCost } from './cost-drawing.ts';
import { writeBudget, writeForecasts } from './cost-outlook.ts';
import { type CostQuery, costAxes, readStack } from './cost-stack.ts';

const query = v.object({
  period: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(200)), 'billing'),
  by: maybeChoice(costAxes),
  grouping: text(),
  account: text(),
  step: maybeChoice(reportSteps),
});

/** Cost by day, budgets and forecast. */
export const costPage = definePage({
  path: '/cost',
  apiPath: '/cost',
  title: 'Cost',
  summary:
    'What it costs: by day and by group, project, region, account or line, with budgets and the forecast.',
  isListed: true,
  words: ['compute_hour', 'forecast_band', 'budget', 'included', 'unpriced', 'group'],
  query,
  answer: costAnswer,
  read: readCost,
  draw: drawCost,
});

async function readCost(
  sources: ConsoleSources,
  asked: CostQuery,
  { now, live }: ReadContext,
): Promise<CostAnswer> {
  const { config } = sources;
  const known = {
    has_prices: config.pricing !== undefined,
    accounts: config.accounts.map(({ name }) => name),
    groupings: config.groupings.map(({ name }) => name),
    periods: offerPeriods(config, now),
    is_outlook_known: false,
  };
  // A wrong period is told, whether there is a cost or not.
  choosePeriod(config, asked.period, now);
  if (!hasHistory(sources)) return { ...known, cost: null, budgets: [], forecasts: [] };
  const projects = live.overviews.reduce((sum, each) => sum + each.projects, 0);
  const cost = known.has_prices ? await readStack(sources, asked, now) : null;
  const isMeant = (account: string) => asked.account === '' || asked.account === account;
  return {
    ...known,
    is_outlook_known: sources.usage() !== undefined,
    cost,
    budgets: await readBudgets(sources, projects),
    forecasts: writeForecasts(sources.usage(), isMeant, config.pricing?.meter),
  };
}

async function readBudgets(sources: ConsoleSources, projects: number): Promise<CostBudget[]> {
  const standing = sources.usage()?.budgets ?? [];
  const budgets = new Map(sources.config.budgets.map(budget => [budget.name, budget]));
  return Promise.all(
    standing.map(async usage => {
      const budget = budgets.get(usage.budget);
      const written = writeBudget(usage, budget);
      return budget === undefined || sources.config.pricing === undefined
        ? written
        : { ...written, by_day: await readBudgetDays(sources, budget, usage, projects) };
    }),
  );
}
