import { definePage } from '../../page.ts';
import { findingAnswer, findingQuery } from './finding-answer.ts';
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
  query: findingQuery,
  answer: findingAnswer,
  read: readFindings,
  asOf: ({ report }) => report?.generated_at,
  head: drawFindingHead,
  draw: drawFindings,
});
