import type { ClosedPeriod } from '../../resources/closed-period.ts';
import { smallest } from '../../resources/extreme.ts';
import type { HistoryPart } from './history-part.ts';
import type { ProjectDirectory } from './project-directory.ts';

/**
 * The closed billing periods of several histories. Where an account is split, the bill that one of them closed is of a
 * part of it, unless the period was over before any other history read the account; those of a part are left out.
 */
export function mergeClosings(
  parts: readonly HistoryPart[],
  directory: ProjectDirectory,
): readonly ClosedPeriod[] {
  const numbers = new Map(directory.chains.map(({ project }) => [keyOf(project), project.project_ref]));
  const kept = new Map<string, ClosedPeriod>();
  for (const part of parts) {
    for (const closing of part.history.closings) {
      const { account, fromAt, closedAt, untilAt } = closing;
      const others = parts.filter(each => each !== part);
      const isWhole = others.every(other => speaksFrom(other, account, directory) >= untilAt);
      const key = `${account} ${fromAt} ${closedAt}`;
      if (isWhole && !kept.has(key)) kept.set(key, renumber(closing, numbers));
    }
  }
  return [...kept.values()].sort(
    (a, b) => Number(a.account > b.account) - Number(a.account < b.account) || a.fromAt - b.fromAt,
  );
}

/** The first reading of a project of an account that a history speaks for; a copy of another speaks for none. */
function speaksFrom(part: HistoryPart, account: string, { chains }: ProjectDirectory): number {
  return smallest(
    chains
      .filter(({ project }) => project.account === account)
      .flatMap(({ links }) => links.filter(link => link.part === part))
      .map(({ life }) => life.firstSeenAt),
  );
}

interface NamedProject {
  readonly account: string;
  readonly project_id: string;
}

function keyOf({ account, project_id }: NamedProject): string {
  return JSON.stringify([account, project_id]);
}

interface WrittenLine {
  readonly project?: NamedProject;
}

/** Lines of a bill name their projects by the numbers of their own history. */
function renumber(closing: ClosedPeriod, numbers: ReadonlyMap<string, number>): ClosedPeriod {
  const lines = JSON.parse(closing.lines) as readonly WrittenLine[];
  const renumbered = lines.map(line => {
    const project_ref = line.project && numbers.get(keyOf(line.project));
    return project_ref === undefined ? line : { ...line, project: { ...line.project, project_ref } };
  });
  return { ...closing, lines: JSON.stringify(renumbered) };
}
