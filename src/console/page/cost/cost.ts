import { writeInstant } from '../../answer-value.ts';
import { choosePeriod, offerPeriods } from '../../chosen-period.ts';
import { type ConsoleSources, definePage, type ReadContext } from '../../page.ts';
import { describeRest } from '../../progress.ts';
import { NotWhole } from '../../report-cache/report-set.ts';
import { addUpDays, askBudgetDays, listBudgetDays } from './budget-day.ts';
import { type CostAnswer, type CostBudget, costAnswer } from './cost-answer.ts';
import { drawCost, drawCostHead } from './cost-drawing.ts';
import { writeBudget, writeForecasts, writePastBudgets } from './cost-forecast.ts';
import { askStack, type CostQuery, costQuery, cutStack, writeStack } from './cost-stack.ts';

/** Cost by day, budgets and forecast. */
export const costPage = definePage({
  path: '/cost',
  title: 'Cost',
  summary:
    'What it costs: by day and by group, project, region, account or line, with budgets and the forecast.',
  isListed: true,
  words: ['compute_hour', 'forecast_band', 'budget', 'included', 'unpriced', 'group'],
  query: costQuery,
  answer: costAnswer,
  read: readCost,
  asOf: ({ as_of }) => as_of,
  restsOn: ({ rests_on }) => rests_on,
  isPart: ({ as_of, is_outlook_known }) => as_of === null || !is_outlook_known,
  head: drawCostHead,
  draw: drawCost,
});

async function readCost(
  sources: ConsoleSources,
  asked: CostQuery,
  { now, live, conditions }: ReadContext,
): Promise<CostAnswer> {
  const { config, reports } = sources;
  const { pricing } = config;
  const projects = live.overviews.reduce((sum, each) => sum + each.projects, 0);
  const cut = cutStack(config, asked, now);
  // The bars, and the days of each budget: all are of one instant.
  const days = config.budgets.flatMap(budget => {
    const question = askBudgetDays(budget, config, { now, projects });
    return question === undefined ? [] : [{ budget, question }];
  });
  const isPast = config.budgets.length > 0 && choosePeriod(config, asked.period, now).untilAt < now;
  const past = { kind: 'budgets', options: { period: asked.period } } as const;
  const ofStack = askStack(config, asked, cut);
  const set = await reports.askTogether({
    reports: [...ofStack, ...days.map(({ question }) => question), ...(isPast ? [past] : [])],
    withUsage: true,
  });
  const { reports: made = [], usage, at } = set;
  if (made.length === 0 && pricing !== undefined) throw new NotWhole(set.accounts);
  const stack = writeStack(config, asked, cut, made.slice(0, ofStack.length));
  const byDay = made.slice(ofStack.length);
  const pastBudgets = isPast ? byDay[days.length] : undefined;
  const known = new Map(config.budgets.map(budget => [budget.name, budget]));
  const shownAccounts = asked.account === '' ? config.accounts.map(({ name }) => name) : [asked.account];
  const isMeant = (account: string) => asked.account === '' || asked.account === account;
  const budgets = (usage?.budgets ?? []).map(standing => {
    const place = days.findIndex(({ budget }) => budget.name === standing.budget);
    const spent = byDay[place];
    const budget = known.get(standing.budget);
    const by_day = spent && budget ? addUpDays(spent, budget) : null;
    const all = by_day && budget ? listBudgetDays(budget, standing.period, config.usage.timezone) : [];
    return { ...writeBudget(standing, budget, shownAccounts), days: all, by_day };
  });
  return {
    rests_on: describeRest(set.accounts, { live, conditions }),
    as_of: made.length === 0 ? null : writeInstant(at),
    has_prices: pricing !== undefined,
    accounts: config.accounts.map(({ name }) => name),
    groupings: config.groupings.map(({ name }) => name),
    ...offerPeriods(config, now, made[0]?.firstKnownAt),
    is_outlook_known: usage !== undefined,
    cost: pricing === undefined ? null : stack,
    use: pricing === undefined ? stack : null,
    budgets,
    past_budgets: pastBudgets
      ? writePastBudgets(pastBudgets, config.budgets, shownAccounts).map(
          past => findSame(budgets, past) ?? past,
        )
      : null,
    forecasts: writeForecasts(usage, isMeant, pricing?.meter),
  };
}

/** A budget as it stands in the same period: one that goes on has a forecast. */
function findSame(budgets: readonly CostBudget[], { budget, period }: CostBudget): CostBudget | undefined {
  return budgets.find(each => each.budget === budget && each.period.from === period.from);
}
