import type { EndpointHistory, RememberedEndpoint } from '../../resources/endpoint-history.ts';
import type { DoneFinding, Finding } from '../../resources/finding.ts';
import { maxOf } from '../../resources/min-max.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { doneWindowMs, findDone } from './done-finding.ts';
import { type FindingOptions, findFindings } from './finding-list.ts';
import { findingWindowMs } from './month-use.ts';

/** Where the histories of endpoints come from. */
interface EndpointArchive {
  /** Branches that are not gone, each from an instant on. */
  endpoints(
    project: UsageProject,
    sinceAtOf: (endpoint_id: string) => number,
    beforeAt?: number,
  ): readonly EndpointHistory[];
  /** Also ones that are gone. */
  remembered(project: UsageProject, sinceAt: number, beforeAt: number): readonly RememberedEndpoint[];
}

/** What was found. */
export interface FoundAndDone {
  readonly open: readonly Finding[];
  /** Those whose cause is gone. */
  readonly done: readonly DoneFinding[];
}

/** Looks for the findings of a project; where one is done, only the time since tells what is open. */
export function reviewProject(
  archive: EndpointArchive,
  project: UsageProject,
  { untilAt, ...options }: FindingOptions & { readonly untilAt: number },
): FoundAndDone {
  const done = archive
    .remembered(project, untilAt - doneWindowMs, untilAt)
    .flatMap(endpoint => findDone(endpoint, options));
  const openFromAt = (endpoint_id: string): number => {
    const own = done.filter(finding => finding.endpoint_id === endpoint_id);
    return Math.max(untilAt - findingWindowMs, maxOf(own.map(({ measuredFromAt }) => measuredFromAt)));
  };
  const open = archive
    .endpoints(project, openFromAt, untilAt)
    .flatMap(endpoint => findFindings(endpoint, options));
  return { open, done };
}
