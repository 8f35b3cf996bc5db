import * as v from 'valibot';
import { definePage } from '../../page.ts';
import { choice, cursor, limit, text } from '../../parameter.ts';
import { findingAnswer } from './finding-answer.ts';
import { drawFindingHead, drawFindings } from './finding-drawing.ts';
import { readFindings } from './finding-reading.ts';

/** Findings with their savings, their evidence and what to change. */
export const findingPage = definePage({
  path: '/findings',
  title: 'Savings',
  summary:
    'What could be saved, the dearest first, with the evidence and what to change; and what was saved.',
  isListed: true,
  words: ['finding', 'compute_hour', 'suspend_delay', 'wake_up', 'idle_tail', 'floor_size'],
  query: v.object({
    show: choice(['open', 'done']),
    account: text(),
    kind: text(),
    group: text(),
    project: text(),
    limit: limit(50),
    cursor: cursor(),
  }),
  answer: findingAnswer,
  read: (sources, query) => readFindings(sources, query),
  asOf: ({ report }) => report?.generated_at,
  head: drawFindingHead,
  draw: drawFindings,
});
