import * as v from 'valibot';
import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import type { MadeReport } from '../../../report/maker.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-value.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import type { LiveState } from '../../live-state.ts';
import { definePage } from '../../page.ts';
import { describeRest } from '../../progress.ts';
import type { ReportSet, SetQuestion } from '../../report-cache/report-set.ts';
import { readRows, readTotals, rowKey } from '../../report-row.ts';
import { savingOf } from '../../written-saving.ts';
import { writeFinding } from '../finding/finding-answer.ts';
import { findOperationTroubles } from './operation-trouble.ts';
import { overviewAnswer, type Running, type Saving } from './overview-answer.ts';
import { drawOverview } from './overview-drawing.ts';
import { describeHead, rankTroubles, sayState } from './overview-state.ts';
import { describeSpending, mostMoves } from './spending.ts';
import { findBudgetTroubles, findConditionTroubles, findKeyTroubles } from './trouble.ts';

const nothingRuns = { projects: 0, endpoints: 0, states: [], active_projects: 0, active: [] };

/** The troubles of now, the endpoints that run, the cost and the findings on one screen. */
export const overviewPage = definePage({
  path: '/',
  apiPath: '/overview',
  title: 'Overview',
  summary: 'What is wrong now, what runs, and what it costs.',
  isListed: true,
  query: v.object({}),
  answer: overviewAnswer,
  async read(sources, _query, { now, live, conditions }) {
    const found = sources.history.look(history => ({
      operations: findOperationTroubles(history, now),
      keys: findKeyTroubles(history, sources.config, now),
      running: findRunning(history, live),
    }));
    const set = await sources.reports.askSoon(questionOf(sources.config));
    return {
      troubles: rankTroubles([
        ...findConditionTroubles(conditions),
        ...(found?.operations ?? []),
        ...findBudgetTroubles(set?.usage?.budgets ?? [], now),
        ...(found?.keys ?? []),
      ]),
      running: found?.running ?? nothingRuns,
      rests_on: set === undefined ? null : describeRest(set.accounts, { live, conditions }),
      as_of: set?.reports === undefined ? null : writeInstant(set.at),
      ...describeFigures(set, sources.config),
      pending: findPending(set, sources.config),
    };
  },
  titleOf: sayState,
  head: describeHead,
  asOf: ({ as_of }) => as_of,
  restsOn: ({ rests_on }) => rests_on,
  isPart: ({ pending, rests_on }) => pending.length > 0 || rests_on?.is_whole === false,
  draw: drawOverview,
});

/** The figures are asked for together: what is compared is of one instant. */
function questionOf({ pricing }: Pick<ConsoleConfig, 'pricing'>): SetQuestion {
  const period = 'billing';
  const findings = { kind: 'findings', options: {} } as const;
  const use = { kind: pricing === undefined ? 'usage' : 'cost', options: { period, by: 'account' } } as const;
  const why = { kind: 'why', options: { period, top: mostMoves } } as const;
  const days = { kind: use.kind, options: { ...use.options, step: 'day' } } as const;
  return { reports: [findings, use, days, why], withUsage: true };
}

function describeFigures(set: ReportSet | undefined, config: ConsoleConfig) {
  const [findings, use, days, why] = set?.reports ?? [];
  return {
    spending:
      use === undefined || days === undefined || why === undefined
        ? null
        : describeSpending({ use, days, why }, config, set?.usage),
    saving: findings === undefined ? null : describeSaving(findings),
  };
}

/** The names of what is still being worked out. */
function findPending(set: ReportSet | undefined, config: ConsoleConfig): string[] {
  if (set === undefined) return [...new Set(questionOf(config).reports.map(({ kind }) => kind)), 'forecast'];
  return set.reports !== undefined && set.usage === undefined ? ['forecast'] : [];
}

/** The projects whose longest active endpoint is named, and the endpoints that are looked at for them. */
const mostActive = 5;
const mostLooked = 200;

/** Endpoints by state, and the active ones by name. */
function findRunning({ fleet }: BrowsedHistory, { overviews }: LiveState): Running {
  const states = fleet.states();
  return {
    projects: overviews.reduce((sum, { projects }) => sum + projects, 0),
    endpoints: states.reduce((sum, { endpoints }) => sum + endpoints, 0),
    states: states.map(each => ({ ...each })),
    active_projects: fleet.activeProjects() ?? 0,
    active: [...Map.groupBy(fleet.active(mostLooked), each => rowKey(each.account, each.project_id)).values()]
      .slice(0, mostActive)
      .flatMap(([first, ...others]) => {
        if (first === undefined) return [];
        const { since_at, ...endpoint } = first;
        return { ...endpoint, since: writeMaybeInstant(since_at), others: others.length };
      }),
  };
}

/** The most findings that are named. */
const mostFindings = 5;

/** Savings of findings, the most first, as the report of findings has it. */
function describeSaving(report: MadeReport): Saving {
  const rows = readRows<'findings'>(report);
  return {
    findings: rows.length,
    ...savingOf(readTotals<'findings'>(report)),
    currency: report.currency ?? null,
    costliest: rows
      .slice(0, mostFindings)
      .map(row => ({ ...writeFinding(row), up_to: row.up_to ?? false, advice: row.advice ?? '' })),
  };
}
