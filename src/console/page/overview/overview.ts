import * as v from 'valibot';
import { askSoon } from '../../desk/ready-report.ts';
import { type ConsoleSources, definePage } from '../../page.ts';
import { findHealthTroubles, findImports } from './health-trouble.ts';
import { findHistoryTroubles } from './history-trouble.ts';
import { overviewAnswer } from './overview-answer.ts';
import { drawOverview } from './overview-drawing.ts';
import { findRunning } from './running.ts';
import { describeSaving } from './saving.ts';
import { findBudgetTroubles, findKeyTroubles, findOperationTroubles } from './service-trouble.ts';
import { describeSpending } from './spending.ts';

const nothingRuns = { projects: 0, endpoints: 0, states: [], active: [] };

/** The troubles of now, the endpoints that run, the cost and the findings on one screen. */
export const overviewPage = definePage({
  path: '/',
  apiPath: '/overview',
  title: 'Overview',
  summary: 'What is wrong now, what runs, and what it costs.',
  isListed: true,
  query: v.object({}),
  answer: overviewAnswer,
  async read(sources, _query, { now, live }) {
    const found = sources.history.look(history => ({
      operations: findOperationTroubles(history, now),
      keys: findKeyTroubles(history, sources.config, now),
      running: findRunning(history, live),
    }));
    const view = found && sources.usage();
    const { use, why, findings, pending } = await askFigures(sources, found !== undefined);
    return {
      troubles: [
        ...findHistoryTroubles(live, sources.config.accounts),
        ...findHealthTroubles(live),
        ...(found?.operations ?? []),
        ...findBudgetTroubles(view?.budgets ?? []),
        ...(found?.keys ?? []),
        ...findImports(live),
      ],
      running: found?.running ?? nothingRuns,
      spending: use === undefined ? null : describeSpending({ use, why }, sources.config, view),
      saving: findings === undefined ? null : describeSaving(findings),
      pending,
    };
  },
  isPart: ({ pending }) => pending.length > 0,
  draw: drawOverview,
});

/** The reports with figures; one that is not ready is undefined and pending. */
async function askFigures({ config, reports }: ConsoleSources, isAny: boolean) {
  if (!isAny) return { pending: [] };
  const hasPrices = config.pricing !== undefined;
  const [use, why, findings] = await Promise.all([
    askSoon(reports, hasPrices ? 'cost' : 'usage', { period: 'billing', by: 'account' }),
    hasPrices ? askSoon(reports, 'why', { period: 'billing' }) : undefined,
    askSoon(reports, 'findings', {}),
  ]);
  const pending = [
    ...(use === undefined ? [hasPrices ? 'cost' : 'usage'] : []),
    ...(why === undefined && hasPrices ? ['why'] : []),
    ...(findings === undefined ? ['findings'] : []),
  ];
  return { use, why, findings, pending };
}
