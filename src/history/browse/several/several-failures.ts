import type { BrowsedHistory } from '../history-browser.ts';
import type { ProjectPlaces } from './project-place.ts';

/** Operations in trouble from several histories, each once. */
export function joinFailures(
  places: ProjectPlaces,
  operations: BrowsedHistory['operations'],
): BrowsedHistory['failures'] {
  const { parts } = places;
  return {
    byProject: (fromAt, untilAt) => {
      const found = parts.flatMap(({ history }) => history.failures.byProject(fromAt, untilAt));
      const alone = found.filter(each => !places.isShared(each));
      const shared = Map.groupBy(
        found.filter(each => places.isShared(each)),
        ({ account, project_id }) => JSON.stringify([account, project_id]),
      );
      const counted = [...shared.values()].flatMap(([project]) => {
        if (project === undefined) return [];
        const { account, project_id } = project;
        const filter = { account, project_id, action: '' };
        const failures = operations.countFailed(filter, { fromAt, untilAt }, Number.MAX_SAFE_INTEGER);
        return [{ account, project_id, failures }];
      });
      return [...alone, ...counted];
    },
    newest: (fromAt, most) => {
      // One that each history knows is found in all of them; the last ones know most of it.
      const found = parts.flatMap(part =>
        part.history.failures.newest(fromAt, most).filter(each => places.speaks(part, each)),
      );
      const once = new Map(
        found.map(each => [JSON.stringify([each.account, each.project_id, each.operation_id]), each]),
      );
      return [...once.values()].sort((a, b) => b.at - a.at).slice(0, most);
    },
    stuck: (longerThanMs, most) =>
      parts
        .flatMap(part =>
          part.history.failures
            .stuck(longerThanMs, Number.MAX_SAFE_INTEGER)
            .filter(each => places.speaksLast(part, each)),
        )
        .sort((a, b) => a.at - b.at)
        .slice(0, most),
  };
}
