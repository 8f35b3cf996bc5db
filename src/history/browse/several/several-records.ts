import { mergeKeys } from '../../merge/merged-record.ts';
import type { AwakeSession } from '../browsed-session.ts';
import type { BrowsedHistory } from '../history-browser.ts';
import type { ProjectPlaces } from './project-place.ts';

/** API keys, each once: every shard may have read those of the whole account. */
export function joinKeys({ parts }: ProjectPlaces): BrowsedHistory['keys'] {
  return {
    list: () => mergeKeys(parts.flatMap(({ history }) => history.keys.list())),
    uses: (account, key_id, most) => {
      const found = parts.map(({ history }) => history.keys.uses(account, key_id, most));
      const [best = []] = found.toSorted(
        (a, b) => b.length - a.length || (b[0]?.until_at ?? 0) - (a[0]?.until_at ?? 0),
      );
      return best;
    },
  };
}

/** Closed billing periods; the bill of a history with a part of the account is none of the account. */
export function joinClosings(places: ProjectPlaces): BrowsedHistory['closings'] {
  const { parts } = places;
  return {
    within: span => {
      const found = parts.flatMap(part =>
        part.history.closings.within(span).filter(({ account, untilAt }) =>
          parts
            .filter(other => other !== part)
            .map(other => other.beginOf(account, [...places.silentOf(other)]))
            .every(begin => (begin ?? Number.POSITIVE_INFINITY) >= untilAt),
        ),
      );
      return [...new Map(found.map(each => [JSON.stringify(each), each])).values()];
    },
  };
}

export function joinMatches(places: ProjectPlaces): BrowsedHistory['matches'] {
  return {
    find: (account, project_id) => {
      const project = { account, project_id };
      const speaking = places.parts.find(
        part =>
          places.speaksLast(part, project) && part.history.projects.refsOf(account, project_id).length > 0,
      );
      return speaking?.history.matches.find(account, project_id) ?? project;
    },
  };
}

/** Times in which endpoints were awake, from all histories that speak for their project. */
export function joinSessions(places: ProjectPlaces): BrowsedHistory['sessions'] {
  return {
    newest: (number, endpoint_id, most) =>
      places
        .placesOf(number)
        .flatMap(({ part, project_ref, cutAt, untilAt }) => {
          const isCut = Number.isFinite(untilAt);
          const end = ({ until_at }: AwakeSession) => (until_at === null && isCut ? untilAt : until_at);
          return part.history.sessions
            .newest(project_ref, endpoint_id, most)
            .filter(({ from_at }) => from_at >= cutAt && from_at < untilAt)
            .map(session => ({ ...session, until_at: end(session) }));
        })
        .sort((a, b) => b.from_at - a.from_at)
        .slice(0, most),
  };
}
