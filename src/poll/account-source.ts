import type { ApiKey } from '../resources/api-key.ts';
import type { Endpoint } from '../resources/endpoint.ts';
import type { Operation } from '../resources/operation.ts';
import type { Project } from '../resources/project.ts';
import type { NamedProject } from '../resources/project-filter.ts';
import type { ProjectUsage } from '../resources/project-usage.ts';
import type { ListReading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';

/** A list as the service gave it, dated by the service's own clock. */
type Listed<Item> = ListReading<Item> & { readonly servedAt: number };

/** A page of the list of projects; the last one tells of the whole list. */
export interface ProjectPage {
  readonly items: readonly Project[];
  /** Listed, but not to be watched. */
  readonly leftOut?: readonly NamedProject[];
  readonly servedAt: number;
  readonly end?: Pick<ListReading<Project>, 'rejected' | 'complete'> & {
    /** Projects that the service names instead of listing them. */
    readonly unavailableIds?: readonly string[];
  };
}

export interface OperationPage {
  readonly items: readonly Operation[];
  readonly rejected: number;
  readonly servedAt: number;
  /** Where the next older page is; absent when there is none. */
  readonly cursor: string | undefined;
  /** Why it is the last one: `repeated_cursor` and `cap` leave open whether there are older ones. */
  readonly end?: string | undefined;
}

/** The questions an account of the service answers. Every call throws when it fails; `reasonOf` names why. */
export interface AccountSource {
  projects(signal: AbortSignal): AsyncIterable<ProjectPage>;
  apiKeys(signal: AbortSignal): Promise<Listed<ApiKey>>;
  endpoints(project_id: string, signal: AbortSignal): Promise<Listed<Endpoint>>;
  /** Newest first, from the top or from a cursor on. */
  operationPages(
    project_id: string,
    options: { readonly cursor?: string; readonly limit: number },
    signal: AbortSignal,
  ): AsyncIterable<OperationPage>;
  operation(
    project_id: string,
    operation_id: string,
    signal: AbortSignal,
  ): Promise<{ readonly operation: Operation; readonly servedAt: number }>;
  /** The use of a project in its present billing period, where the service tells that. */
  usage(
    project_id: string,
    signal: AbortSignal,
  ): Promise<{ readonly usage: ProjectUsage; readonly servedAt: number }>;
  /** `internal` for a fault of our own. */
  reasonOf(error: unknown): Reason;
}

/** A source whose list holds only the projects that are to be watched; what else is listed is told by name. */
export function selectProjects(
  source: AccountSource,
  isWatched: (project: NamedProject) => boolean,
): AccountSource {
  return {
    ...source,
    async *projects(signal) {
      for await (const page of source.projects(signal)) {
        const { watched = [], leftOut = [] } = Object.groupBy(page.items, project =>
          isWatched(project) ? 'watched' : 'leftOut',
        );
        yield { ...page, items: watched, leftOut };
      }
    },
  };
}
