import type { KnownEndpoint, StateSpan } from '../../../history/usage/endpoint-activity-query.ts';
import { type PlacedRow, placeOf, presentProjects } from './lake-day.ts';
import { column, lakeTable } from './lake-table.ts';

interface StateRow extends PlacedRow {
  readonly endpoint: KnownEndpoint;
  readonly span: StateSpan;
}

/** The states of endpoints, cut at the ends of days. */
export const endpointStates = lakeTable<StateRow>({
  name: 'endpoint_states',
  about: 'A time of an endpoint in one state, cut at the ends of days.',
  columns: [
    column('endpoint_id', 'text', 'The endpoint.', row => row.endpoint.endpoint_id),
    column('branch_id', 'text', 'Its branch.', ({ endpoint }) => endpoint.branch_id),
    column('state', 'text', 'The state.', row => row.span.state),
    column('from_at', 'instant', 'When the time began.', row => row.span.fromAt),
    column('until_at', 'instant', 'The first instant after it.', row => row.span.untilAt),
    column('seconds', 'seconds', 'How long it took.', ({ span }) => span.untilAt - span.fromAt),
  ],
  keptFromAt: ({ history }) => history.keptFromAt.samples,
  *rows(day) {
    const { activity } = day.history;
    for (const project of presentProjects(day)) {
      const place = placeOf(day, project);
      for (const endpoint of day.endpoints(project.project_ref))
        for (const span of activity.states(endpoint.endpoint_ref, day.fromAt, day.untilAt))
          yield { place, endpoint, span };
    }
  },
});
