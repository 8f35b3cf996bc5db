import { shareByGroup } from '../../../cost/rating/group-share.ts';
import type { KnownProject } from '../../../history/browse/browsed-project.ts';
import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import type { KnownOperation } from '../../../history/usage/operation-query.ts';
import { ungrouped } from '../../../resources/grouping.ts';
import { outerLinksOf } from '../../outer-link.ts';
import { definePage } from '../../page.ts';
import { PageProblem } from '../../page-problem.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { curlOf } from '../../part/curl.ts';
import { type IncidentQuery, incidentAnswer, incidentQuery } from './incident-answer.ts';
import { drawIncident, headOfIncident } from './incident-drawing.ts';
import { readFacts } from './incident-fact.ts';
import { sayIncident } from './incident-word.ts';

/** An operation: what it means, whom it hits, what to do, and what happened around it. */
export const incidentPage = definePage({
  path: '/operations/{account}/{project_id}/{operation_id}',
  apiPath: '/operations/{account}/{project_id}/{operation_id}',
  title: 'Operation',
  summary:
    'An operation: what it means, whom it hits, what to do next, how often it happened, and the timeline around it. In place of its id, last-failed and oldest-open name one of the project.',
  isListed: false,
  words: ['operation', 'attempt', 'awake'],
  query: incidentQuery,
  answer: incidentAnswer,
  read({ config, history }, asked, { now }) {
    const { account, project_id } = asked;
    const base_url = config.accounts.find(({ name }) => name === account)?.base_url ?? '$BASE_URL/';
    const found = history.look(known => {
      const project = known.projects.find(account, project_id);
      const operation = project && findOperation(known, project, asked);
      if (project === undefined || operation === undefined) return undefined;
      const facts = readFacts(known, project, operation, now);
      const paths = shareByGroup(config.groupings).groupsOf(known.matches.find(account, project_id));
      const groups = paths.filter(path => !path.endsWith(`/${ungrouped}`));
      return { ...facts, groups };
    });
    if (found === undefined) throw noSuchOperation(asked);
    const { operation_id, endpoint_id, branch_id } = found.operation;
    const values = { account, project_id, operation_id, endpoint_id, branch_id };
    return {
      ...found,
      ...sayIncident(found, now),
      links: outerLinksOf(config.links, ['operation', 'endpoint', 'branch', 'project'], values),
      request: curlOf('GET', base_url, 'projects', project_id, 'operations', operation_id),
    };
  },
  titleOf: ({ title }) => title,
  head: headOfIncident,
  draw: drawIncident,
});

function findOperation(
  { incidents }: BrowsedHistory,
  { project_ref }: KnownProject,
  { operation_id, action }: IncidentQuery,
): KnownOperation | undefined {
  if (operation_id === 'oldest-open') return incidents.oldestOpen(project_ref);
  if (operation_id !== 'last-failed') return incidents.find(project_ref, operation_id);
  // Alerts on a compact page name no action.
  return incidents.lastFailed(project_ref, action === 'any' ? '' : action);
}

function noSuchOperation({ account, project_id, operation_id, action }: IncidentQuery): PageProblem {
  const shown = (text: string) => [...text].slice(0, 80).join('');
  const list = addressOf('/operations', { account, project: shown(project_id), status: 'all' });
  const project = pathOf('projects', account, project_id);
  const [title, detail] =
    operation_id === 'last-failed'
      ? [
          'No operation failed',
          `The history has no failed operation ${shown(action)} of project "${shown(project_id)}".`,
        ]
      : operation_id === 'oldest-open'
        ? ['No operation is in progress', `All operations of project "${shown(project_id)}" have ended.`]
        : [
            'There is no such operation',
            `The history has no operation "${shown(operation_id)}" of project "${shown(project_id)}" of account "${shown(account)}". It may not have been read yet, or be older than history.keep_operations.`,
          ];
  return new PageProblem(404, title, detail.replace('  ', ' '), [
    { address: project, words: `Project ${shown(project_id)}` },
    { address: list, words: 'All operations of the project' },
    '/operations',
  ]);
}
