import type { HasBranches } from './branch.ts';
import { declareItem, type ItemOf, specified, vital } from './declared-field.ts';
import { minuteMs } from './duration.ts';
import { type EndpointView, endpointFamilies } from './endpoint.ts';
import { bit, bitIfSet, declareFor, projectLabels, seconds } from './family.ts';
import { asFlag, asIdentifier, asInstant, asNumber, asText } from './field.ts';
import { laterProjectFields } from './later-project.ts';
import type { ListDefinition } from './list-definition.ts';
import type { HasMeter } from './metered.ts';
import { minOf } from './min-max.ts';
import type { HasOperations } from './operation.ts';
import type { HasPeriodUse } from './project-usage.ts';

export const projectItem = declareItem('project_id', {
  project_name: specified('name', asText),
  platform_id: specified('platform_id', asText, { isShared: true }),
  region_id: specified('region_id', asText, { isShared: true }),
  provisioner: specified('provisioner', asText, { isShared: true }),
  pg_version: specified('pg_version', asIdentifier, { isShared: true }),
  proxy_host: specified('proxy_host', asText, { isShared: true }),
  locked: specified('locked', asFlag),
  cpu_used_sec: vital('cpu_used_sec', asNumber, { moves: 'often' }),
  branch_logical_size_limit: specified('branch_logical_size_limit', asNumber),
  created_at: vital('created_at', asInstant),
  updated_at: vital('updated_at', asInstant, { moves: 'often' }),
  ...laterProjectFields,
});

/** A project as the list of projects reports it; instants in epoch milliseconds. */
export type Project = ItemOf<typeof projectItem>;

export const projectList: ListDefinition<Project> = {
  route: '/projects',
  itemsKey: 'projects',
  pageLimit: 400,
  takesOrganisation: true,
  decode: projectItem.decode,
  identify: project => project.project_id,
};

/** A project with its remembered history. */
export interface ProjectView extends Project, HasOperations, HasMeter, HasBranches, HasPeriodUse {
  readonly account: string;
  /** The sum of all growth of `cpu_used_sec` since it was first seen; absent while it was never reported. */
  readonly cpuUsedSeconds?: number;
  readonly cpuUsedResets?: number;
  /** When its endpoints and operations were last both read, by this host's clock. */
  readonly lastRefreshAt?: number;
  readonly endpoints: readonly EndpointView[];
}

const { gauge, gaugeBy, counter } = declareFor<ProjectView>()(projectLabels);

const createdTogetherMs = minuteMs;

/** Whether its oldest endpoint is, to the minute, as old as the project: then one creation time serves both. */
function isCreatedWithEndpoint({ created_at, endpoints }: ProjectView): boolean {
  const oldest = minOf(endpoints.map(endpoint => endpoint.created_at ?? Number.POSITIVE_INFINITY));
  return created_at !== undefined && Math.abs(oldest - created_at) < createdTogetherMs;
}

export const projectFamilies = {
  info: gaugeBy(
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
    'Compute seconds used by the project: what cpu_used_sec added up to since it was first seen, across restarts and resets (polled).',
    project => project.cpuUsedSeconds,
  ),
  cpuUsedReportedSeconds: gauge(
    'dbpm_project_cpu_used_reported_seconds',
    'cpu_used_sec of the project exactly as last reported (polled).',
    project => project.cpu_used_sec,
  ),
  cpuUsedResets: counter(
    'dbpm_project_cpu_used_resets_total',
    'How often the service set cpu_used_sec of the project back.',
    project => project.cpuUsedResets,
    { whenCompact: 'omit' },
  ),
  locked: gauge(
    'dbpm_project_locked',
    'Whether the project is locked; absent when the service does not report it (polled).',
    project => bit(project.locked),
    { whenCompact: { sample: ({ locked }, emit) => emit(bitIfSet(locked)) } },
  ),
  branchLogicalSizeLimit: gauge(
    'dbpm_project_branch_logical_size_limit',
    'Size limit per branch as reported; the specification gives no unit, live services mean MiB (polled).',
    project => project.branch_logical_size_limit,
    { whenCompact: 'omit' },
  ),
  createdTimestamp: gauge(
    'dbpm_project_created_timestamp_seconds',
    'When the project was created.',
    project => seconds(project.created_at),
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
    project => seconds(project.updated_at),
  ),
  lastRefreshTimestamp: gauge(
    'dbpm_project_last_refresh_timestamp_seconds',
    'When the endpoints and operations of the project were last read.',
    project => seconds(project.lastRefreshAt),
    { fedBy: ['endpoints', 'operations'] },
  ),
};
