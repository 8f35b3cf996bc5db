import { largest, smallest } from '../../../resources/extreme.ts';
import type { KnownEndpoint, StateBegin } from '../browsed-project.ts';
import type { BrowsedHistory } from '../history-browser.ts';
import type { PartEndpoint } from './browsed-part.ts';
import type { ProjectPlace, ProjectPlaces } from './project-place.ts';

type Projects = BrowsedHistory['projects'];

const mostIds = 20;
/** Nobody saw what an endpoint did between two histories. */
const unseen = 'unknown';

/** An endpoint in a history that speaks for it for a time. */
type Stage = ProjectPlace & { readonly endpoint: PartEndpoint };

/** Projects with their endpoints from several histories. */
export function joinProjects(places: ProjectPlaces): Projects {
  const { parts } = places;
  const keptFromAt = (of: (projects: Projects) => number) =>
    largest(parts.map(({ history }) => of(history.projects)));
  return {
    refsOf: (account, project_id) =>
      parts.flatMap(part =>
        part.history.projects
          .refsOf(account, project_id)
          .filter(ref => !places.formerOf(part).has(ref))
          .map(ref => places.numberOf(part, ref)),
      ),
    idsNamed: (account, project_name) =>
      [...new Set(parts.flatMap(({ history }) => history.projects.idsNamed(account, project_name)))]
        .sort()
        .slice(0, mostIds),
    find: (account, project_id) => {
      const found = parts.flatMap(part => {
        const project = part.history.projects.find(account, project_id);
        return project === undefined
          ? []
          : [{ ...project, project_ref: places.numberOf(part, project.project_ref), part }];
      });
      const last = found.find(({ part }) => places.speaksLast(part, { account, project_id }));
      if (last === undefined) return undefined;
      const { part: _own, ...project } = last;
      return { ...project, first_seen_at: smallest(found.map(({ first_seen_at }) => first_seen_at)) };
    },
    endpoints: number => listEndpoints(places, number),
    states: (endpoint_ref, fromAt, untilAt) => joinStates(places, endpoint_ref, { fromAt, untilAt }),
    reconstructed: (endpoint_ref, fromAt, untilAt, most) => {
      const all = new Map(
        stagesOf(places, endpoint_ref).flatMap(({ part, endpoint }) =>
          part.history.projects
            .reconstructed(endpoint.endpoint_ref, fromAt, untilAt, most)
            .map(begin => [begin.join(' '), begin] as const),
        ),
      );
      return [...all.values()].sort((a, b) => a[0] - b[0]).slice(-most);
    },
    get operationsKeptFromAt() {
      return keptFromAt(each => each.operationsKeptFromAt);
    },
    get statesKeptFromAt() {
      return keptFromAt(each => each.statesKeptFromAt);
    },
  };
}

/** Endpoints as the last history knows them; one that was gone before its project was moved only an earlier one knows. */
function listEndpoints(places: ProjectPlaces, number: number): readonly KnownEndpoint[] {
  const [last, ...earlier] = places.placesOf(number).toReversed();
  const read = ({ part, project_ref }: ProjectPlace) =>
    part.history.projects
      .endpoints(project_ref)
      .map(each => ({ ...each, endpoint_ref: places.numberOf(part, each.endpoint_ref) }));
  const gone = earlier.flatMap(place => read(place).filter(({ gone_at }) => gone_at !== null));
  const all = [...(last === undefined ? [] : read(last)), ...gone];
  // The first endpoint with an id counts.
  return [...new Map(all.toReversed().map(each => [each.endpoint_id, each])).values()].toReversed();
}

/** The histories that speak for an endpoint, by its number among all, in order of time. */
function stagesOf(places: ProjectPlaces, number: number): readonly Stage[] {
  const row = places.numbers.rowOf(number);
  const part = places.parts.find(({ file }) => file === row.part);
  const own = part?.endpoint(row.ref);
  if (part === undefined || own === undefined) return [];
  return places.placesOf(places.numberOf(part, own.project_ref)).flatMap(place => {
    const endpoint = place.part.endpointOf(place.project_ref, own.endpoint_id);
    return endpoint === undefined ? [] : [{ ...place, endpoint }];
  });
}

/** The states of an endpoint, each history from where the one before it ends. */
function joinStates(
  places: ProjectPlaces,
  number: number,
  { fromAt, untilAt }: { readonly fromAt: number; readonly untilAt: number },
): Iterable<StateBegin> {
  const stages = stagesOf(places, number);
  const [only] = stages;
  if (only !== undefined && stages.length === 1)
    return only.part.history.projects.states(only.endpoint.endpoint_ref, fromAt, untilAt);
  const joined: StateBegin[] = [];
  let knownUntilAt = Number.NEGATIVE_INFINITY;
  for (const { part, endpoint, cutAt, ...place } of stages) {
    const span = [Math.max(fromAt, cutAt), Math.min(untilAt, place.untilAt)] as const;
    if (span[0] >= span[1]) continue;
    const own = [...part.history.projects.states(endpoint.endpoint_ref, ...span)];
    const begins = own.map(([at, state]): StateBegin => [Math.max(at, cutAt), state]);
    const beganAt = begins[0]?.[0] ?? Number.POSITIVE_INFINITY;
    if (joined.length > 0 && knownUntilAt < beganAt) joined.push([knownUntilAt, unseen]);
    joined.push(...begins);
    knownUntilAt = Math.min(endpoint.known_until ?? span[0], place.untilAt);
  }
  return joined;
}
