import type { Span } from '../../resources/endpoint-history.ts';
import type { WatchedEndpoint } from '../usage/watched-endpoint-query.ts';
import type { PartRow, RowNumbers } from './history-part.ts';
import type { ProjectLink } from './project-chain.ts';
import type { ProjectDirectory } from './project-directory.ts';

/** A history that speaks for an endpoint from one instant to another; epoch milliseconds. */
export interface EndpointLink extends PartRow {
  readonly project_ref: number;
  /** When the next history first read the project; absent for the last one. */
  readonly leftAt?: number;
  readonly branch_id: string | null;
  /** Undefined where operations alone name it. */
  readonly row: WatchedEndpoint | undefined;
  /** When the history last read it while it spoke for its project; undefined where operations alone name it. */
  readonly readUntilAt: number | undefined;
  readonly fromAt: number;
  readonly cutAt: number;
  readonly untilAt: number;
}

/** An endpoint of a project, with those that speak for it in order of time. */
export interface LinkedEndpoint {
  readonly endpoint_ref: number;
  readonly endpoint_id: string;
  readonly links: readonly [EndpointLink, ...EndpointLink[]];
}

/** The endpoints of projects that moved from history to history. */
export class EndpointDirectory {
  readonly #directory: ProjectDirectory;
  readonly #numbers: RowNumbers;
  readonly #byProject = new Map<number, readonly LinkedEndpoint[]>();
  readonly #byNumber = new Map<number, LinkedEndpoint>();

  constructor(directory: ProjectDirectory, numbers: RowNumbers) {
    this.#directory = directory;
    this.#numbers = numbers;
  }

  /** The endpoints of a project; undefined where one history alone speaks for it. */
  list(project_ref: number): readonly LinkedEndpoint[] | undefined {
    const links = this.#directory.get(project_ref)?.links ?? [];
    if (links.length < 2) return undefined;
    const known = this.#byProject.get(project_ref);
    if (known !== undefined) return known;
    const found = [
      ...Map.groupBy(
        links.flatMap((link, index) => readEndpoints(link, links[index + 1]?.fromAt)),
        each => each.endpoint_id,
      ),
    ].flatMap(([endpoint_id, own]): LinkedEndpoint[] => {
      const [first, ...later] = cutEach(own.map(({ link }) => link));
      const last = later.at(-1) ?? first;
      if (first === undefined || last === undefined) return [];
      return [{ endpoint_ref: this.#numbers.numberOf(last), endpoint_id, links: [first, ...later] }];
    });
    this.#byProject.set(project_ref, found);
    for (const each of found) this.#byNumber.set(each.endpoint_ref, each);
    return found;
  }

  /** Undefined for one of a project that did not move, or whose project was never asked for. */
  find(endpoint_ref: number): LinkedEndpoint | undefined {
    return this.#byNumber.get(endpoint_ref);
  }
}

/** The part of a window that each history of an endpoint speaks for. */
export function cutWindow<Link extends { readonly cutAt: number; readonly untilAt: number }>(
  links: readonly Link[],
  { fromAt, untilAt }: Span,
): readonly { readonly link: Link; readonly span: Span }[] {
  return links
    .map(link => ({
      link,
      span: { fromAt: Math.max(fromAt, link.cutAt), untilAt: Math.min(untilAt, link.untilAt) },
    }))
    .filter(({ span }) => span.fromAt < span.untilAt);
}

function readEndpoints(
  { part, project: { project_ref }, life, fromAt, cutAt, untilAt }: ProjectLink,
  leftAt: number | undefined,
): { readonly endpoint_id: string; readonly link: EndpointLink }[] {
  const { endpoints, activity } = part.history;
  const rows = new Map(endpoints.source.endpoints.list(project_ref).map(row => [row.endpoint_ref, row]));
  return activity.endpoints(project_ref).map(({ endpoint_ref: ref, endpoint_id, branch_id }) => ({
    endpoint_id,
    link: {
      ...{ part, ref, project_ref, branch_id, row: rows.get(ref), fromAt, cutAt, untilAt },
      readUntilAt: life.statesUntilAt ?? rows.get(ref)?.untilAt,
      ...(leftAt !== undefined && { leftAt }),
    },
  }));
}

/**
 * Ends each link where its history last read the endpoint, if the next one knows from operations what came then: lists of
 * projects were read for longer.
 */
function cutEach(links: readonly EndpointLink[]): EndpointLink[] {
  const cut: EndpointLink[] = [];
  for (const [index, link] of links.entries()) {
    const cutAt = cut.at(-1)?.untilAt ?? link.cutAt;
    const [readUntilAt, next] = [link.readUntilAt, links[index + 1]?.row];
    const knownAt = readUntilAt && next ? Math.max(readUntilAt, next.beginsAt, cutAt) : link.untilAt;
    cut.push({ ...link, cutAt, untilAt: Math.min(link.untilAt, knownAt) });
  }
  return cut;
}
