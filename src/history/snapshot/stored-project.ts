import { namesOf } from '../../resources/declared-field.ts';
import { type EndpointView, endpointItem } from '../../resources/endpoint.ts';
import { compact } from '../../resources/field.ts';
import { inMonths, type MeterAmounts, type MeterUnit } from '../../resources/meter.ts';
import type { OperationTotals } from '../../resources/operation.ts';
import { type Project, type ProjectView, projectItem } from '../../resources/project.ts';
import type { HasPeriodUse } from '../../resources/project-usage.ts';
import type { OperationProgress, PollCheckpoint } from '../../resources/reading.ts';
import type { CpuCounter } from '../ledger/cpu-counter.ts';
import type { PartTotals } from './project-part-query.ts';

/** A project as it was last reported, with its counters. */
export interface StoredProject extends RefreshedProject, HasPeriodUse {
  readonly project_ref: number;
  readonly project: Project;
  /** Absent while `cpu_used_sec` was never reported. */
  readonly cpu?: CpuCounter;
  /** Amounts that the service ever metered; absent while nothing was read of them. */
  readonly metered?: MeterAmounts;
  /** When its use was last read for itself, by the service's clock; absent while the counter is one over the list. */
  readonly usageReadAt?: number;
}

/** A project as its own polls found it, without its entry in the list. */
export interface RefreshedProject {
  readonly lastRefreshAt?: number;
  readonly endpoints: readonly EndpointView[];
  readonly operations?: OperationTotals;
  /** What its lists of other resources come to; absent until one was read. */
  readonly parts?: PartTotals;
  readonly progress: OperationProgress;
  /** Operations that have not ended. */
  readonly openIds: readonly string[];
}

/** Readings of a project that are too old to be shown ("collect.drop_after"). */
interface LostReadings {
  readonly list: boolean;
  readonly endpoints: boolean;
  readonly operations: boolean;
}

/** The view of a project without what is lost; of a lost list entry only the name of the project is left. */
export function viewProject(
  account: string,
  stored: StoredProject,
  lost: LostReadings,
  meterUnit: MeterUnit,
): ProjectView {
  const endpoints = lost.endpoints ? [] : stored.endpoints;
  const cpu = lost.list ? undefined : stored.cpu;
  return {
    ...(lost.list ? identify(stored.project) : stored.project),
    ...stored.parts,
    account,
    ...compact({
      cpuUsedSeconds: cpu?.totalSec,
      cpuUsedResets: cpu?.resets,
      lastRefreshAt: stored.lastRefreshAt,
      metered: stored.metered && inMonths(stored.metered, meterUnit),
      periodUse: lost.list ? undefined : stored.periodUse,
      operations: lost.operations ? undefined : stored.operations,
    }),
    // These are counted from operations.
    endpoints: lost.operations
      ? endpoints.map(({ starts, suspends, stateDurations, ...read }) => read)
      : endpoints,
  };
}

/** The fields that name a project; alerts on its operations and endpoints join with them. */
function identify(project: StoredProject['project']): StoredProject['project'] {
  const { project_id, project_name, platform_id, region_id, provisioner, pg_version, proxy_host } = project;
  const named = { project_name, platform_id, region_id, provisioner, pg_version, proxy_host };
  return { project_id, ...compact(named) };
}

/** The checkpoint that the next poll of a project continues from. */
export function checkpointOf({
  project,
  endpoints,
  progress,
  openIds,
  usageReadAt,
}: StoredProject): PollCheckpoint {
  const busy = openIds.length > 0 || endpoints.some(isAwake);
  const usage = usageReadAt === undefined ? {} : { usageReadAt };
  return { project_id: project.project_id, busy, known: { ...progress, openIds }, ...usage };
}

function isAwake({ current_state, pending_state }: EndpointView): boolean {
  return pending_state !== undefined || (current_state !== 'idle' && current_state !== 'stopped');
}

const projectTexts = namesOf(projectItem.fields, ({ isShared }) => isShared === true);
const endpointTexts = namesOf(endpointItem.fields, ({ isShared }) => isShared === true);
const operationTexts = ['action', 'status'] as const;
const durationTexts = ['state'] as const;

/** More than these fields have of them; a service that never repeats itself must not have all of it kept twice. */
const mostTexts = 10_000;

/** Texts that many projects have in common: each is kept once, however often it was read. */
export class SharedText {
  readonly #texts = new Map<string, string>();

  /**
   * Puts the texts that are kept in the place of those of a project, which are the same.
   *
   * @param known the project as it was before: what it has in common with that was shared then.
   */
  shareAll({ project, endpoints, operations }: StoredProject, known?: StoredProject): void {
    if (project !== known?.project) this.#share(project, projectTexts);
    if (endpoints !== known?.endpoints) for (const endpoint of endpoints) this.#shareEndpoint(endpoint);
    if (operations === undefined || operations === known?.operations) return;
    const { ended, attemptFailures, inProgress } = operations;
    for (const each of [...ended, ...attemptFailures, ...inProgress]) this.#share(each, operationTexts);
  }

  #shareEndpoint(endpoint: EndpointView): void {
    this.#share(endpoint, endpointTexts);
    for (const each of endpoint.stateDurations ?? []) this.#share(each, durationTexts);
  }

  #share<Key extends string>(item: { readonly [key in Key]?: unknown }, keys: readonly Key[]): void {
    const texts: { [key in Key]?: unknown } = item;
    for (const key of keys) {
      const text = item[key];
      if (typeof text === 'string') texts[key] = this.#kept(text);
    }
  }

  #kept(text: string): string {
    const kept = this.#texts.get(text);
    if (kept !== undefined) return kept;
    if (this.#texts.size >= mostTexts) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}
