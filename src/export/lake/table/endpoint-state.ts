import type { KnownEndpoint, StateSpan } from '../../../history/usage/endpoint-activity-query.ts';
import { dayColumns, type PlacedRow, placeOf, presentProjects, projectColumns } from './lake-day.ts';
import { lakeTable } from './lake-table.ts';

interface StateRow extends PlacedRow {
  readonly endpoint: KnownEndpoint;
  readonly span: StateSpan;
}

/** The states of endpoints, cut at the ends of days. */
export const endpointStates = lakeTable<StateRow>({
  name: 'endpoint_states',
  about: 'A time of an endpoint in one state, cut at the ends of days.',
  columns: [
    ...dayColumns,
    ...projectColumns,
    { key: 'endpoint_id', kind: 'text', about: 'The endpoint.', of: row => row.endpoint.endpoint_id },
    {
      ...{ key: 'branch_id', kind: 'text', about: 'Its branch.' },
      of: ({ endpoint }) => endpoint.branch_id ?? undefined,
    },
    { key: 'state', kind: 'text', about: 'The state.', of: row => row.span.state },
    { key: 'from_at', kind: 'instant', about: 'When the time began.', of: row => row.span.fromAt },
    { key: 'until_at', kind: 'instant', about: 'The first instant after it.', of: row => row.span.untilAt },
    {
      ...{ key: 'seconds', kind: 'seconds', about: 'How long it took.' },
      of: ({ span }) => span.untilAt - span.fromAt,
    },
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
