import type { HasBranches } from './branch.ts';
import { minuteMs } from './duration.ts';
import { type EndpointView, endpointFamilies } from './endpoint.ts';
import { smallest } from './extreme.ts';
import { bit, bitIfSet, declareFor, seconds } from './family.ts';
import {
  asFields,
  asFlag,
  asIdentifier,
  asInstant,
  asNumber,
  asText,
  type Compact,
  compact,
} from './field.ts';
import { laterProjectFields } from './later-project.ts';
import type { ListDefinition } from './list-definition.ts';
import type { HasMeter } from './metered.ts';
import type { HasOperations } from './operation.ts';
import { withOptional } from './optional-field.ts';
import type { HasPeriodUse } from './project-usage.ts';
import { projectLabels } from './scope-label.ts';

/** A project as the list of projects reports it; instants in epoch milliseconds. */
export type Project = NonNullable<ReturnType<typeof decodeProject>>;

function decodeProject(item: unknown) {
  const fields = asFields(item);
  const project_id = asIdentifier(fields?.id);
  if (fields === undefined || project_id === undefined) return undefined;
  const project = compact({
    project_id,
    project_name: asText(fields.name),
    platform_id: asText(fields.platform_id),
    region_id: asText(fields.region_id),
    provisioner: asText(fields.provisioner),
    pg_version: asIdentifier(fields.pg_version),
    proxy_host: asText(fields.proxy_host),
    locked: asFlag(fields.locked),
    cpu_used_sec: asNumber(fields.cpu_used_sec),
    branch_logical_size_limit: asNumber(fields.branch_logical_size_limit),
    created_at: asInstant(fields.created_at),
    updated_at: asInstant(fields.updated_at),
  });
  return withOptional(project, fields, laterProjectFields);
}

export const projectList: ListDefinition<Project> = {
  route: '/projects',
  itemsKey: 'projects',
  pageLimit: 400,
  takesOrganisation: true,
  decode: decodeProject,
  identify: project => project.project_id,
};

/** A project with its remembered history. */
export interface ProjectView extends Compact<Project>, HasOperations, HasMeter, HasBranches, HasPeriodUse {
  readonly account: string;
  /** The sum of all growth of `cpu_used_sec` since it was first seen; absent while it was never reported. */
  readonly cpuUsedSeconds?: number;
  readonly cpuUsedResets?: number;
  /** When its endpoints and operations were last both read, by this host's clock. */
  readonly lastRefreshAt?: number;
  readonly endpoints: readonly EndpointView[];
}

const { gauge, counter } = declareFor<ProjectView>()(projectLabels);

const createdTogetherMs = minuteMs;

/** Whether its oldest endpoint is, to the minute, as old as the project: then one creation time serves both. */
function isCreatedWithEndpoint({ created_at, endpoints }: ProjectView): boolean {
  const oldest = smallest(endpoints.map(endpoint => endpoint.created_at ?? Number.POSITIVE_INFINITY));
  return created_at !== undefined && Math.abs(oldest - created_at) < createdTogetherMs;
}

export const projectFamilies = {
  info: gauge(
    'dbpm_project_info',
    'A project of the account, with its name and where it runs.',
    ['project_name', 'platform_id', 'region_id', 'provisioner', 'pg_version', 'proxy_host'],
    (project, emit) =>
      emit(
        1,
        project.project_name ?? '',
        project.platform_id ?? '',
        project.region_id ?? '',
        project.provisioner ?? '',
        project.pg_version ?? '',
        project.proxy_host ?? '',
      ),
  ),
  cpuUsedSeconds: counter(
    'dbpm_project_cpu_used_seconds_total',
    'Compute seconds used by the project: what cpu_used_sec added up to since it was first seen, across restarts and across resets by the service (polled).',
    [],
    (project, emit) => emit(project.cpuUsedSeconds),
  ),
  cpuUsedReportedSeconds: gauge(
    'dbpm_project_cpu_used_reported_seconds',
    'cpu_used_sec of the project exactly as last reported (polled).',
    [],
    (project, emit) => emit(project.cpu_used_sec),
  ),
  cpuUsedResets: counter(
    'dbpm_project_cpu_used_resets_total',
    'How often the service set cpu_used_sec of the project back.',
    [],
    (project, emit) => emit(project.cpuUsedResets),
    { whenCompact: 'omit' },
  ),
  locked: gauge(
    'dbpm_project_locked',
    'Whether the project is locked; absent when the service does not report it (polled).',
    [],
    (project, emit) => emit(bit(project.locked)),
    { whenCompact: { sample: ({ locked }, emit) => emit(bitIfSet(locked)) } },
  ),
  branchLogicalSizeLimit: gauge(
    'dbpm_project_branch_logical_size_limit',
    'Size limit per branch as reported; the specification gives no unit, live services mean MiB (polled).',
    [],
    (project, emit) => emit(project.branch_logical_size_limit),
    { whenCompact: 'omit' },
  ),
  createdTimestamp: gauge(
    'dbpm_project_created_timestamp_seconds',
    'When the project was created.',
    [],
    (project, emit) => emit(seconds(project.created_at)),
    {
      whenCompact: {
        sample(project, emit) {
          if (!isCreatedWithEndpoint(project)) emit(seconds(project.created_at));
        },
        given: endpointFamilies.createdTimestamp.name,
      },
    },
  ),
  updatedTimestamp: gauge(
    'dbpm_project_updated_timestamp_seconds',
    'When the service last updated the project (polled).',
    [],
    (project, emit) => emit(seconds(project.updated_at)),
  ),
  lastRefreshTimestamp: gauge(
    'dbpm_project_last_refresh_timestamp_seconds',
    'When the endpoints and operations of the project were last read.',
    [],
    (project, emit) => emit(seconds(project.lastRefreshAt)),
    { fedBy: ['endpoints', 'operations'] },
  ),
};
