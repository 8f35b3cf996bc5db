import { compact } from '../../resources/field.ts';
import { inMonths, type MeterUnit } from '../../resources/meter.ts';
import type { ProjectView } from '../../resources/project.ts';
import type { StoredProject } from './stored-project.ts';

/** Readings of a project that are too old to be shown ("collect.drop_after"). */
export interface LostReadings {
  readonly list: boolean;
  readonly endpoints: boolean;
  readonly operations: boolean;
}

/** The parts of a project that are shown, and how its meter counts what lasts. */
interface Showing {
  readonly lost: LostReadings;
  readonly meterUnit: MeterUnit;
}

/** The view of a project without what is lost; of a lost list entry only the name of the project is left. */
export function viewProject(
  account: string,
  stored: StoredProject,
  { lost, meterUnit }: Showing,
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
