import * as v from 'valibot';
import { isFailure } from '../../condition/condition.ts';
import { definePage } from '../../page.ts';
import { describeHealth, healthAnswer } from './health-answer.ts';
import { drawHealth } from './health-drawing.ts';

/** How the daemon itself does: accounts, collectors, ages, request budgets, what fails. */
export const healthPage = definePage({
  path: '/health',
  title: 'Health',
  summary: 'How the daemon does: accounts, collectors, ages, request budgets, and what fails.',
  isListed: true,
  count: ({ conditions }) => {
    const failing = conditions.filter(({ severity }) => severity !== 'info');
    return { number: failing.length, what: 'problems', isUrgent: failing.some(isFailure) };
  },
  // It tells of each condition at length.
  reads: [],
  words: ['request_budget', 'import', 'freshness'],
  query: v.object({}),
  answer: healthAnswer,
  read: ({ config }, _query, { live, conditions }) => describeHealth(live, conditions, config),
  draw: drawHealth,
});
