import type { Span } from '../../resources/endpoint-history.ts';
import type { ComputeTotals } from '../usage/compute-query.ts';
import type { EndpointActivity, KnownEndpoint, StateSpan } from '../usage/endpoint-activity-query.ts';
import type { ReportHistory } from '../usage/report-history.ts';
import { cutWindow, type EndpointDirectory } from './endpoint-directory.ts';
import type { PartRow, RowNumbers } from './history-part.ts';
import type { ProjectDirectory } from './project-directory.ts';

/** The activity of endpoints from several histories. */
export class MergedActivity implements Pick<ReportHistory['activity'], keyof ReportHistory['activity']> {
  readonly #directory: ProjectDirectory;
  readonly #endpoints: EndpointDirectory;
  readonly #numbers: RowNumbers;

  constructor(directory: ProjectDirectory, endpoints: EndpointDirectory, numbers: RowNumbers) {
    this.#directory = directory;
    this.#endpoints = endpoints;
    this.#numbers = numbers;
  }

  endpoints(project_ref: number): readonly KnownEndpoint[] {
    const moved = this.#endpoints.list(project_ref);
    if (moved !== undefined)
      return moved.map(({ endpoint_ref, endpoint_id, links }) => {
        const branch_id = links.at(-1)?.branch_id ?? null;
        return { endpoint_ref, endpoint_id, branch_id };
      });
    const links = this.#directory.get(project_ref)?.links ?? [];
    return links.flatMap(({ part, project }) =>
      part.history.activity.endpoints(project.project_ref).map(endpoint => ({
        ...endpoint,
        endpoint_ref: this.#numbers.numberOf({ part, ref: endpoint.endpoint_ref }),
      })),
    );
  }

  computeUntil(endpoint_ref: number, at: number): ComputeTotals {
    const links = this.#endpoints.find(endpoint_ref)?.links;
    const read = ({ part, ref }: PartRow, until: number) => part.history.activity.computeUntil(ref, until);
    if (links === undefined) return read(this.#numbers.rowOf(endpoint_ref), at);
    const sum = { lower: 0, upper: 0 };
    for (const link of links) {
      if (at <= link.cutAt) break;
      const until = read(link, Math.min(at, link.untilAt));
      const before =
        link.cutAt === Number.NEGATIVE_INFINITY ? { lower: 0, upper: 0 } : read(link, link.cutAt);
      sum.lower += until.lower - before.lower;
      sum.upper += until.upper - before.upper;
    }
    return sum;
  }

  activity(endpoint_ref: number, fromAt: number, untilAt: number): EndpointActivity {
    const parts = this.#partsOf(endpoint_ref, { fromAt, untilAt }).map(({ link: { part, ref }, span }) =>
      part.history.activity.activity(ref, span.fromAt, span.untilAt),
    );
    return {
      starts: parts.reduce((sum, { starts }) => sum + starts, 0),
      awakeMs: parts.reduce((sum, { awakeMs }) => sum + awakeMs, 0),
    };
  }

  states(endpoint_ref: number, fromAt: number, untilAt: number): readonly StateSpan[] {
    return this.#partsOf(endpoint_ref, { fromAt, untilAt }).flatMap(({ link: { part, ref }, span }) =>
      part.history.activity.states(ref, span.fromAt, span.untilAt),
    );
  }

  /** The rows that speak for an endpoint in a stretch, in order of time. */
  #partsOf(endpoint_ref: number, span: Span) {
    const links = this.#endpoints.find(endpoint_ref)?.links;
    return links === undefined
      ? [{ link: this.#numbers.rowOf(endpoint_ref), span }]
      : cutWindow<PartRow & { readonly cutAt: number; readonly untilAt: number }>(links, span);
  }
}
