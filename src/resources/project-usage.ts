import { type FieldValues, later, laterAmount, laterInstant, readerOf } from './declared-field.ts';
import { asFields } from './field.ts';

/** Where one project is read, which later versions of the service answer with its use in the present billing period. */
export const projectRoute = '/projects/{project_id}';

export const periodFields = {
  /** Compute seconds. */
  compute_time_seconds: later('compute_time_seconds', laterAmount),
  active_time_seconds: later('active_time_seconds', laterAmount),
  written_data_bytes: later('written_data_bytes', laterAmount),
  data_transfer_bytes: later('data_transfer_bytes', laterAmount),
  /** Until when they are counted. */
  consumption_period_end: later('consumption_period_end', laterInstant),
};

const readUsage = readerOf({
  ...periodFields,
  /** Since when they are counted. */
  consumption_period_start: later('consumption_period_start', laterInstant),
});

/** The use of a project as the answer for it reports it; instants in epoch milliseconds. */
export type ProjectUsage = NonNullable<ReturnType<typeof decodeProjectUsage>>;

/** Use of a project in a billing period of the service. */
export type PeriodUse = FieldValues<typeof periodFields>;

/** A project, as far as its use in the present period goes. */
export interface HasPeriodUse {
  /** Absent where it is not read, or the period is over. */
  readonly periodUse?: PeriodUse;
}

/** The use in `{ project }`; undefined when there is no project in the answer. */
export function decodeProjectUsage(body: unknown) {
  const project = asFields(asFields(body)?.project);
  return project && readUsage({}, project);
}

/** Where the service tells the compute of an account's projects: in their list, or in the answer for each of them. */
const cpuSources = ['list', 'project'] as const;
export type CpuSource = (typeof cpuSources)[number];

/** The source that may be asked for: `auto` takes the list for as long as that tells it. */
export const cpuSourceChoices = ['auto', ...cpuSources] as const;
export type CpuSourceChoice = (typeof cpuSourceChoices)[number];
