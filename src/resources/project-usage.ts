import { asFields } from './field.ts';
import { optional, optionalAmount, optionalInstant, withOptional } from './optional-field.ts';

/** Where one project is read, which later versions of the service answer with its use in the present billing period. */
export const projectRoute = '/projects/{project_id}';

const readers = {
  /** Compute seconds. */
  compute_time_seconds: optional('compute_time_seconds', optionalAmount),
  /** Since when they are counted. */
  consumption_period_start: optional('consumption_period_start', optionalInstant),
};

/** The use of a project as the answer for it reports it; instants in epoch milliseconds. */
export type ProjectUsage = NonNullable<ReturnType<typeof decodeProjectUsage>>;

/** The use in `{ project }`; undefined when there is no project in the answer. */
export function decodeProjectUsage(body: unknown) {
  const project = asFields(asFields(body)?.project);
  return project && withOptional({}, project, readers);
}
