import type { BrowsedHistory } from '../history-browser.ts';
import type { ProjectPlaces } from './project-place.ts';

/** The projects of several histories, each as the last one knows it that speaks for it. */
export function joinFleets(places: ProjectPlaces): BrowsedHistory['fleet'] {
  const { parts } = places;
  const accountsOf = (all: readonly { readonly account: string }[]) => [
    ...new Set(all.map(({ account }) => account)),
  ];
  return {
    projects: () =>
      parts
        .values()
        .flatMap(part => part.history.fleet.projects().filter(project => places.speaksLast(part, project))),
    states: () => {
      const found = parts.flatMap(part => part.history.fleet.states([...places.formerOf(part)]));
      const accounts = accountsOf(found);
      const sums = [
        ...Map.groupBy(found, ({ account, state }) => JSON.stringify([account, state])).values(),
      ].flatMap(([first, ...others]) =>
        first === undefined
          ? []
          : [
              {
                ...first,
                endpoints: others.reduce((sum, { endpoints }) => sum + endpoints, first.endpoints),
              },
            ],
      );
      return sums.sort(
        (a, b) =>
          accounts.indexOf(a.account) - accounts.indexOf(b.account) ||
          b.endpoints - a.endpoints ||
          (a.state < b.state ? -1 : 1),
      );
    },
    active: most => {
      const found = parts.flatMap(part => part.history.fleet.active(most, [...places.formerOf(part)]));
      const sinceOf = ({ since_at }: (typeof found)[number]) => since_at ?? Number.POSITIVE_INFINITY;
      return found.sort((a, b) => (sinceOf(a) === sinceOf(b) ? 0 : sinceOf(a) - sinceOf(b))).slice(0, most);
    },
  };
}
