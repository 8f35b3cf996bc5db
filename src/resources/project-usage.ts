import { asFields } from './field.ts';
import {
  type OptionalValues,
  optional,
  optionalAmount,
  optionalInstant,
  withOptional,
} from './optional-field.ts';

/** Where one project is read, which later versions of the service answer with its use in the present billing period. */
export const projectRoute = '/projects/{project_id}';

const periodReaders = {
  /** Compute seconds. */
  compute_time_seconds: optional('compute_time_seconds', optionalAmount),
  active_time_seconds: optional('active_time_seconds', optionalAmount),
  written_data_bytes: optional('written_data_bytes', optionalAmount),
  data_transfer_bytes: optional('data_transfer_bytes', optionalAmount),
  /** Until when they are counted. */
  consumption_period_end: optional('consumption_period_end', optionalInstant),
};

const readers = {
  ...periodReaders,
  /** Since when they are counted. */
  consumption_period_start: optional('consumption_period_start', optionalInstant),
};

/** The use of a project as the answer for it reports it; instants in epoch milliseconds. */
export type ProjectUsage = NonNullable<ReturnType<typeof decodeProjectUsage>>;

/** Use of a project in a billing period of the service. */
export type PeriodUse = OptionalValues<typeof periodReaders>;

/** A project, as far as its use in the present period goes. */
export interface HasPeriodUse {
  /** Absent where it is not read, or the period is over. */
  readonly periodUse?: PeriodUse;
}

/** The use in `{ project }`; undefined when there is no project in the answer. */
export function decodeProjectUsage(body: unknown) {
  const project = asFields(asFields(body)?.project);
  return project && withOptional({}, project, readers);
}
