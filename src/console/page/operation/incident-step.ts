import { secondMs } from '../../../resources/duration.ts';
import { sayAt, showAge } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import type { ActionWords } from './action-word.ts';
import type { IncidentAnswer, IncidentFacts } from './incident-answer.ts';

type Step = IncidentAnswer['next_steps'][number];

/** The steps to take next, by the facts that are known. */
export function stepsOf(facts: IncidentFacts, words: ActionWords, now: number): Step[] {
  const { operation, awake_at, without_compute_ms } = facts;
  const { outcome, created_at } = operation;
  switch (outcome) {
    case 'failed':
      return awake_at !== null && without_compute_ms !== null
        ? stepsAfter(facts, { awake_at, without_compute_ms })
        : [{ do: words.remedy, why: null }, askSupport(facts)];
    case 'stuck':
      return [
        {
          do: 'Give the support of the service the ids below',
          why: 'No request cancels an operation. Some end by themselves.',
        },
        putOff(facts),
      ];
    case 'in_progress':
      return [
        {
          do: 'Wait',
          why: created_at === null ? null : `It began ${showAge(now - Date.parse(created_at))} ago.`,
        },
      ];
    default:
      return [];
  }
}

/** Changes that had better wait: settings alone where other operations of the project end, or else all. */
function putOff({ done_since }: IncidentFacts): Step {
  const doesEnd = done_since !== null && done_since.operations > 0;
  return {
    do: doesEnd ? 'Put off changes of settings' : 'Put off other changes to the project',
    why: 'They may have to wait for it.',
  };
}

/** After a failed start that was followed by a state awake. */
function stepsAfter(
  facts: IncidentFacts,
  { awake_at, without_compute_ms }: { readonly awake_at: string; readonly without_compute_ms: number },
): Step[] {
  const created_at = facts.failed_starts?.first ?? facts.operation.created_at;
  const retryS = Math.ceil(without_compute_ms / (60 * secondMs)) * 60;
  return [
    { do: 'Nothing at once', why: `The endpoint was awake at ${sayAt(awake_at, created_at)}.` },
    ...(created_at === null
      ? []
      : [
          {
            do: `Look for errors at ${sayAt(created_at)} in the logs of what connects to it`,
            why: `No compute ran for ${showAge(without_compute_ms)}.`,
          },
        ]),
    ...(retryS <= 300
      ? [
          {
            do: `Let clients try to connect for ${retryS} s`,
            why: 'A failure as short as this one is then a slow query.',
          },
        ]
      : []),
    askSupport(facts),
  ];
}

function askSupport({ often: { ended, failed } }: IncidentFacts): Step {
  const often = `${showNumber(failed)} of ${showNumber(ended)} failed in 30 days.`;
  return {
    do: 'If it fails again, give the support of the service the ids below',
    why: ended > 1 ? often : null,
  };
}
