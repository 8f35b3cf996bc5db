import { secondMs } from '../../../resources/duration.ts';
import { sayAt, sayLength, showAge } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { type ActionWords, wordsOf } from './action-word.ts';
import type { IncidentFacts, IncidentSentences } from './incident-answer.ts';
import type { OperationAnswer } from './operation-answer.ts';

/** The sentences on an operation, from what is known of it and of nothing else. */
export function sayIncident(facts: IncidentFacts, now: number): IncidentSentences {
  const words = wordsOf(facts.operation.action);
  return {
    title: titleOf(facts, words, now),
    meaning: [words.does, ...sayOutcome(facts.operation, now, facts.read_at), ...sayReason(facts.operation)],
    impact: [...sayImpact(facts, words, now), ...sayOthers(facts)],
    next_steps: stepsOf(facts, words, now),
    runbook: runbookOf(facts.operation),
  };
}

function titleOf(
  { operation, without_compute_ms, failed_starts }: IncidentFacts,
  words: ActionWords,
  now: number,
) {
  const { outcome, status, created_at, duration_ms } = operation;
  switch (outcome) {
    case 'failed':
      if (status === 'cancelled') return `${words.thing} was cancelled`;
      return `${words.failed}${sayTimes(failed_starts)}${without_compute_ms === null ? '' : `, and was awake ${sayLength(without_compute_ms)} later`}`;
    case 'stuck':
      return created_at === null
        ? `${words.thing} is stuck`
        : `${words.thing} is stuck: it began ${sayLength(now - Date.parse(created_at))} ago`;
    case 'in_progress':
      return `${words.thing} goes on`;
    case 'succeeded':
      return duration_ms === null ? words.done : `${words.done} in ${sayLength(duration_ms)}`;
    case 'unknown':
      return `${words.thing} began, and its end is not known`;
  }
}

function sayTimes(starts: IncidentFacts['failed_starts']): string {
  if (starts === null || starts.count === 1) return '';
  return ` in ${starts.is_count_cut ? 'more than ' : ''}${showNumber(starts.count)} operations`;
}

function sayOutcome(operation: OperationAnswer, now: number, read_at: string | null): string[] {
  const { outcome, status, failures_count, duration_ms, retry_at } = operation;
  const attempts =
    failures_count === 0
      ? ''
      : `, with ${showNumber(failures_count)} failed ${failures_count === 1 ? 'attempt' : 'attempts'}`;
  const read =
    read_at === null ? '' : ` when the project was last read, ${showAge(now - Date.parse(read_at))} ago`;
  switch (outcome) {
    case 'failed':
    case 'succeeded':
      return [
        `It ended as ${status}${duration_ms === null ? '' : ` after ${showAge(duration_ms)}`}${attempts}.`,
      ];
    case 'unknown':
      return ['The service no longer has it, and its end was not read.'];
    default:
      return [
        `It had not ended${read}${attempts}.`,
        ...(status === 'scheduling' ? ['By its status it waits for its turn.'] : []),
        ...(retry_at === null ? [] : [`The service tries again at ${sayAt(retry_at)}.`]),
      ];
  }
}

function sayReason({ outcome, error }: OperationAnswer): string[] {
  if (outcome !== 'failed' && outcome !== 'stuck') return [];
  return [error === null ? 'The service gave no reason.' : `The service says: “${error}”`];
}

function sayImpact(facts: IncidentFacts, words: ActionWords, now: number): string[] {
  const { operation, endpoint, awake_at, without_compute_ms, others_in_progress, done_since } = facts;
  const { outcome, action, created_at } = operation;
  if (outcome === 'failed' && action === 'start_compute' && endpoint !== null) {
    if (endpoint.state_then === 'active') return ['The endpoint was awake when it began.'];
    const series = saySeries(facts);
    if (without_compute_ms !== null && awake_at !== null)
      return [
        `No compute ran for ${showAge(without_compute_ms)}, until ${sayAt(awake_at, operation.created_at)}.`,
        ...series,
      ];
    const since = facts.failed_starts?.first ?? created_at;
    if (endpoint.state_then !== null && since !== null)
      return [`No compute was seen to run since ${sayAt(since, created_at)}.`, ...series];
  }
  if (outcome === 'failed') return [words.leaves, ...saySuccess(operation)];
  if (outcome === 'stuck' || outcome === 'in_progress') {
    if (done_since !== null && done_since.operations > 0)
      return [...sayAlike(done_since, operation, now), ...sayDone(done_since, created_at)];
    const others = `${showNumber(others_in_progress)} other ${others_in_progress === 1 ? 'operation' : 'operations'}`;
    return [
      'The service runs the operations of a project one after another.',
      others_in_progress === 0 ? 'No other one is in progress.' : `${others} of the project may wait for it.`,
    ];
  }
  return [];
}

/** The starts that failed one after another, where it is not this one alone. */
function saySeries({ failed_starts, operation: { created_at } }: IncidentFacts): string[] {
  if (failed_starts === null || failed_starts.count === 1) return [];
  const { first, last, count, is_count_cut } = failed_starts;
  const starts = `${is_count_cut ? 'More than ' : ''}${showNumber(count)} starts`;
  return [
    `${starts} failed, the first begun at ${sayAt(first, created_at)}, the last at ${sayAt(last, created_at)}.`,
  ];
}

/** Whether the same was done since. */
function saySuccess({ action, worked_at, created_at, endpoint_id }: OperationAnswer): string[] {
  if (created_at === null) return [];
  const of = endpoint_id === null ? 'this project' : 'this endpoint';
  return [
    worked_at === null
      ? `No ${action} of ${of} has succeeded since.`
      : `The next ${action} of ${of} to succeed ended at ${sayAt(worked_at, created_at)}.`,
  ];
}

/** The sentence on another operation of the same action that finished since. Starts have a sentence of their own. */
function sayAlike(
  { last_alike }: NonNullable<IncidentFacts['done_since']>,
  { action, endpoint_id }: OperationAnswer,
  now: number,
): string[] {
  if (last_alike === null || action === 'start_compute') return [];
  const last = `last ${showAge(now - Date.parse(last_alike))} ago`;
  if (action === 'check_availability') return [`This endpoint passed its check since, ${last}.`];
  return [
    `Another ${action} of this ${endpoint_id === null ? 'project' : 'endpoint'} finished since, ${last}.`,
  ];
}

/** The operations that ended well while this one goes on. */
function sayDone(
  { operations, starts, last_start }: NonNullable<IncidentFacts['done_since']>,
  created_at: string | null,
): string[] {
  const others = `${showNumber(operations)} other ${operations === 1 ? 'operation' : 'operations'}`;
  const finished = `${others} of the project finished since it began: it does not hold up all of them.`;
  if (starts === 0 || last_start === null) return [finished];
  const started = `${showNumber(starts)} ${starts === 1 ? 'start' : 'starts'} of the endpoint finished since`;
  return [`${started}, the last at ${sayAt(last_start, created_at)}: it can start.`, finished];
}

function sayOthers({ other_endpoints, endpoint }: IncidentFacts): string[] {
  const count = other_endpoints.length;
  if (count === 0) return endpoint === null ? [] : ['The project has no other endpoint.'];
  const awake = other_endpoints.filter(({ state_then }) => state_then === 'active').length;
  const has = `The project has ${showNumber(count)} other ${count === 1 ? 'endpoint' : 'endpoints'}`;
  return [
    `${has}: ${awake === 0 ? 'none' : showNumber(awake)} was awake when it began.`.replace(
      /: (\d\d+|[2-9]) was/,
      ': $1 were',
    ),
  ];
}

function runbookOf({ outcome }: OperationAnswer): string | null {
  if (outcome === 'failed') return '/help/alerts/DbpmOperationFailed';
  return outcome === 'stuck' || outcome === 'in_progress' ? '/help/alerts/DbpmOperationStuck' : null;
}

type Step = IncidentSentences['next_steps'][number];

/** The steps to take next, by the facts that are known. */
function stepsOf(facts: IncidentFacts, words: ActionWords, now: number): Step[] {
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
          why: 'The API of the service cannot cancel an operation. Some end by themselves.',
        },
        ...putOff(facts),
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

/** Changes that had better wait: all, or settings alone where other operations of the project end, or none where settings did. */
function putOff({ done_since }: IncidentFacts): Step[] {
  if (done_since !== null && done_since.settings > 0) return [];
  const doesEnd = done_since !== null && done_since.operations > 0;
  return [
    {
      do: doesEnd ? 'Put off changes of settings' : 'Put off other changes to the project',
      why: 'They may have to wait for it.',
    },
  ];
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
  const often = `${showNumber(failed)} of ${showNumber(ended)} failed in the 30 days until it.`;
  return {
    do: 'If it fails again, give the support of the service the ids below',
    why: ended > 1 ? often : null,
  };
}
