import type { ReportKind } from '../report/kind.ts';
import type { ReportOptions } from '../report/parameter.ts';
import type { ConsoleSources } from './page.ts';
import { PageProblem } from './page-problem.ts';
import type { ReportSet, SetQuestion } from './report-cache/report-set.ts';

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
  const narrow = (kind: ReportKind, options: ReportOptions): ReportOptions => {
    const { by, group, format } = options;
    // Each row of that format has the groups of all groupings.
    if (by === 'owner' || (format === 'focus' && !isWhole)) throw hidden(groupings);
    if (kind === 'budgets' && isHidden.size > 0) throw hidden(groupings);
    const isByGroup =
      by === 'group' || group !== undefined || kind === 'showback' || (kind === 'months' && by === undefined);
    if (!isByGroup || isWhole) return options;
    const grouping = group?.split('/')[0] ?? options.grouping ?? groupings[0]?.name;
    if (grouping === undefined || !isKept(grouping)) throw hidden(groupings);
    return group === undefined ? { ...options, grouping } : options;
  };
  const narrowAll = (question: SetQuestion): SetQuestion => ({
    ...question,
    reports: question.reports.map(({ kind, options }) => ({ kind, options: narrow(kind, options) })),
  });
  const hide = ({ usage, ...set }: ReportSet): ReportSet => ({
    ...set,
    ...(usage && {
      usage: { ...usage, budgets: usage.budgets.filter(({ budget }) => !isHidden.has(budget)) },
    }),
  });
  return {
    ...sources,
    config: isWhole ? config : { ...config, groupings, budgets },
    reports: {
      ask: async (kind, options, gone) => reports.ask(kind, narrow(kind, options), gone),
      askTogether: async (question, gone) => hide(await reports.askTogether(narrowAll(question), gone)),
      askSoon: async (question, gone) => {
        const found = await reports.askSoon(narrowAll(question), gone);
        return found && hide(found);
      },
      projects: gone => reports.projects(gone),
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
