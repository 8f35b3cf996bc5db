import { nameHistories } from '../history/file/history-list.ts';
import { Failure } from '../resources/failure.ts';
import type { UsageProject } from '../resources/usage/ledger.ts';

/** The project that a report is of. */
interface Choice {
  readonly project?: ChosenProject;
}

/** The only project of a report. */
export interface ChosenProject {
  readonly account: string;
  readonly project_id: string;
}

/**
 * Reads `account/project_id`.
 *
 * @throws Failure when it is not written so, or is of another account than the one that is asked for.
 */
export function readChosenProject(given: string, account: string | undefined): ChosenProject {
  const [, name = '', project_id = ''] = /^([^/]+)\/(.+)$/s.exec(given) ?? [];
  if (name === '') {
    throw new Failure(`--project: "${given}" is not written account/project_id, such as main/p-1`, 'usage');
  }
  if (account !== undefined && account !== name) {
    throw new Failure(`--project: ${given} is not of account "${account}": leave --account out`, 'usage');
  }
  return { account: name, project_id };
}

/** Whether a project is in the report: each is, unless one alone is asked for. */
export function isInReport(
  { project: chosen }: Choice,
  { account, project_id }: Pick<UsageProject, 'account' | 'project_id'>,
): boolean {
  return chosen === undefined || (chosen.account === account && chosen.project_id === project_id);
}

/** @throws Failure when a project is asked for that none of these is. */
export function refuseUnknownProject(
  { project }: Choice,
  projects: readonly UsageProject[],
  file: string,
): void {
  if (project === undefined || projects.some(each => isInReport({ project }, each))) return;
  throw new Failure(
    `--project: there is no project "${project.project_id}" of account "${project.account}" in ${nameHistories(file)}`,
    'usage',
  );
}
