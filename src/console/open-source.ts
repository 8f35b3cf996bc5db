import type { ReportOptions } from '../report/kind.ts';
import type { ConsoleSources } from './page.ts';
import { PageProblem } from './page-problem.ts';

/**
 * The sources for readers who may not see who people are: reports by owner name people, and so do groups by whose projects
 * are, so that these are not there, nor are budgets of them.
 */
export function withoutPeople(sources: ConsoleSources): ConsoleSources {
  const { config, reports } = sources;
  const groupings = config.groupings.filter(({ by }) => by !== 'owner');
  const isWhole = groupings.length === config.groupings.length;
  const isKept = (name: string) => groupings.some(each => each.name === name);
  const budgets = config.budgets.filter(({ scope }) => scope.kind !== 'group' || isKept(scope.grouping));
  const isHidden = new Set(config.budgets.filter(each => !budgets.includes(each)).map(({ name }) => name));
  const narrow = (options: ReportOptions): ReportOptions => {
    const { by, grouping = groupings[0]?.name, format } = options;
    // Each row of that format has the groups of all groupings.
    if (by === 'owner' || (format === 'focus' && !isWhole)) throw hidden(groupings);
    if (by !== 'group' || isWhole) return options;
    if (grouping === undefined || !isKept(grouping)) throw hidden(groupings);
    return { ...options, grouping };
  };
  return {
    ...sources,
    usage: () => {
      const view = sources.usage();
      if (view === undefined || isHidden.size === 0) return view;
      return { ...view, budgets: view.budgets.filter(({ budget }) => !isHidden.has(budget)) };
    },
    config: isWhole ? config : { ...config, groupings, budgets },
    reports: {
      ask: async (kind, options, gone) => reports.ask(kind, narrow(options), gone),
      askWithin: async (kind, options, patienceMs, gone) =>
        reports.askWithin(kind, narrow(options), patienceMs, gone),
    },
  };
}

function hidden(groupings: readonly { readonly name: string }[]): PageProblem {
  return new PageProblem(
    400,
    'This names people',
    'Whose projects are is shown only where the web configuration asks for a login, or web.personal_data_without_login is set.',
    groupings.map(({ name }) => `by=group&grouping=${name}`),
  );
}
