import { ApiError } from '../../api/message/api-error.ts';
import type { Collector } from '../../resources/collector.ts';
import type { Endpoint } from '../../resources/endpoint.ts';
import type { Project } from '../../resources/project.ts';

/** The outcome of one question to the service. */
export type Answer<Value> = { readonly value: Value } | { readonly error: ApiError };

/** The list of projects as it was read. */
export interface ListedProjects {
  /** The projects that are watched by `projects.include` and `projects.exclude`. */
  readonly watched: readonly Project[];
  /** All that could be read. */
  readonly listed: number;
  readonly rejected: number;
  readonly unavailable: number;
  readonly pages: number;
  /** Items on the first page. */
  readonly pageSize: number;
  /** Read to its end, and all of it. */
  readonly isWhole: boolean;
}

/** The answers of single projects; none of one that was deleted meanwhile. */
export interface SampledProjects {
  readonly projects: number;
  readonly endpoints: readonly Answer<readonly Endpoint[]>[];
  readonly operations: readonly Answer<number>[];
}

/** Where the daemon would count the compute of projects from, of an account whose list is not all there is to it. */
export interface ToldUse {
  readonly isTold: boolean;
  /** Undefined where no project is to be asked. */
  readonly ofProject?: Answer<boolean>;
}

/** One request that came to an end. */
export interface TimedRequest {
  readonly isOk: boolean;
  readonly durationMs: number;
}

/** Everything that was asked of an account, and what it answered. What was not asked is absent. */
export interface Answers {
  readonly account: string;
  readonly base_url: URL;
  /** Absent where none is set. */
  readonly org_id?: string;
  readonly collectors: readonly Collector[];
  readonly projects: Answer<ListedProjects>;
  readonly apiKeys?: Answer<number>;
  readonly use?: ToldUse;
  readonly sample?: SampledProjects;
  readonly requests: readonly TimedRequest[];
  /** The service's clock minus this host's, in milliseconds; absent where the service does not tell its time. */
  readonly clockSkewMs?: number;
  /** When the certificate of the service ends, in epoch milliseconds, and how long that is from now; absent without TLS. */
  readonly certificate?: { readonly endsAt: number; readonly leftMs: number };
}

/** Whether reading a list ended before the list did. */
export function isCutShort({ isWhole, rejected, unavailable }: ListedProjects): boolean {
  return !isWhole && rejected === 0 && unavailable === 0;
}

/** The values of the questions that were answered. */
export function valuesOf<Value>(answers: readonly Answer<Value>[]): readonly Value[] {
  return answers.flatMap(answer => ('value' in answer ? [answer.value] : []));
}

/** The first failure that says more than that a project has operations running. */
export function firstFailure(answers: readonly Answer<unknown>[]): ApiError | undefined {
  const errors = answers.flatMap(answer => ('error' in answer ? [answer.error] : []));
  return errors.find(({ reason }) => reason !== 'locked');
}

/** Asks, and takes a failure of the service as an answer. Throws the signal's reason, and any other error. */
export async function ask<Value>(
  signal: AbortSignal,
  question: () => Promise<Value>,
): Promise<Answer<Value>> {
  try {
    return { value: await question() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) return { error };
    throw error;
  }
}

/** The middle one of some numbers, the lower of two; undefined where there are none. */
export function middleOf(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length / 2) - 1];
}

/** Whether the daemon would count compute from what each project tells. */
export function isToldByProject({ ofProject }: ToldUse): boolean {
  return ofProject !== undefined && 'value' in ofProject && ofProject.value;
}
