import { liveProjects } from '../../world/driver.ts';
import type { ApiFault, FaultStage } from './api-fault.ts';
import { altering, answering, type Document, type Item, only, routes } from './misbehavior.ts';

/** Lists projects so; a page without any stays as it is. */
function listing(
  fault: string,
  change: (projects: readonly Item[], document: Document) => Document,
  more: Partial<ApiFault> = {},
): ApiFault {
  return {
    fault,
    group: 'list',
    inflict: ({ gateway }) =>
      gateway.misbehave(
        altering(routes.projects, document => {
          const { projects = [] } = document;
          return projects.length === 0 ? document : { ...document, ...change(projects, document) };
        }),
      ),
    fails: [],
    ...more,
  };
}

async function refuseOne({ gateway, world }: FaultStage, below: string, status: number): Promise<void> {
  const [project] = await liveProjects(world);
  gateway.misbehave(only(new RegExp(`^/projects/${project?.project_id}/${below}`), answering(status)));
}

const notWhole = (cause: string) =>
  `the list of projects is not whole: ${cause}; what is missing keeps its last values until collect.drop_after, and what is new may not be seen`;
const unusable = (count: number) => notWhole(`${count} of its projects could not be read`);
const leftOut = notWhole('the service left projects out, or never came to the end of its pages');
const trouble =
  'the service or a gateway before it has trouble; it is asked again later (the service says: it is so, request_id r-1)';
const strange = 'check that base_url is that of an API of version 2';
const hugeName = `a"b\\c\n# HELP x\n💥${'n'.repeat(10_000)}`;

/** Documents that are whole and say odd things: none of them may stop what is right in them. */
export const listFaults: readonly ApiFault[] = [
  listing(
    'the list holds items that are none',
    projects => ({ projects: [...projects, null, { name: 'no id' }] as readonly Item[] }),
    { counts: ['projects'], reason: 'malformed', log: unusable(2) },
  ),
  listing('the list holds every project twice', projects => ({ projects: [...projects, ...projects] })),
  listing(
    'the list leaves a project out and says so',
    projects => ({
      projects: projects.slice(1),
      unavailable_project_ids: projects.slice(0, 1).map(({ id }) => id),
    }),
    {
      log: notWhole('the service calls 1 of its projects unavailable (ID)'),
      alerts: ['DbpmProjectsUnavailable'],
    },
  ),
  listing(
    'the list names what it left out in a way that cannot be read',
    projects => ({ projects: projects.slice(1), unavailable_project_ids: [{ toString: 1 }] }),
    {
      log: notWhole('the service calls 1 of its projects unavailable (ID)'),
      alerts: ['DbpmProjectsUnavailable'],
    },
  ),
  {
    fault: 'one project of the list does not exist when it is read (404)',
    group: 'list',
    inflict: stage => refuseOne(stage, '', 404),
    fails: ['endpoints'],
    reason: 'not_found',
    log: '404 for this project, which the list still shows: ask the support of the service about it',
    alerts: ['DbpmProjectUnreadable'],
  },
  {
    fault: 'the key is not accepted for one project (401)',
    group: 'list',
    inflict: stage => refuseOne(stage, '', 401),
    fails: ['endpoints', 'operations'],
    reason: 'unauthorized',
    log: '401 from GET /projects/{project_id}/endpoints: the API key may not read this project; if the lists are answered 401 too, it is missing, mistyped or revoked (the service says: it is so, request_id r-1)',
    // The other projects are as fresh as ever, and this one is asked for ever less often.
    alerts: ['DbpmProjectUnreadable'],
  },
  listing('the list is empty from one moment to the next', () => ({ projects: [] }), {
    log: 'the list of projects lost 2 of 2 projects at once: each is looked at, and keeps its last values until collect.drop_after',
  }),
  listing('the service repeats one cursor for ever', () => ({ pagination: { cursor: '!the same' } }), {
    log: leftOut,
  }),
  {
    fault: 'the service serves its first page under ever new cursors',
    group: 'list',
    inflict: ({ gateway }) => {
      let pages = 0;
      gateway.misbehave(
        altering(routes.projects, document => {
          pages += 1;
          return { ...document, pagination: { cursor: `page ${pages}` } };
        }),
      );
    },
    fails: [],
    log: leftOut,
  },
  listing('names hold line breaks, quotes, emoji and ten thousand letters', projects => ({
    projects: projects.map(project => ({ ...project, name: hugeName })),
  })),
  listing(
    'a project has an id of a megabyte',
    projects => ({ projects: [...projects, { ...projects[0], id: 'i'.repeat(1_000_000) }] }),
    { counts: ['projects'], reason: 'malformed', log: unusable(1) },
  ),
  {
    fault: 'an operation has something else where numbers, texts and times must be',
    group: 'list',
    inflict: ({ gateway }) =>
      gateway.misbehave(
        altering(routes.operations, ({ operations = [], ...rest }) => ({
          ...rest,
          operations: [...operations, { id: 7, action: {}, status: [], created_at: 'yesterday' }],
        })),
      ),
    fails: [],
    counts: ['operations'],
    reason: 'malformed',
    log: 'N cannot be used: what each must have is missing or something else, such as its id',
  },
  listing(
    'the list names projects by something else than their id',
    projects => ({ projects: projects.map(({ id, ...project }) => ({ ...project, project_id: id })) }),
    {
      fails: ['projects'],
      reason: 'malformed',
      log: `2 of 2 items in the answer of GET /projects cannot be used: ${strange}`,
    },
  ),
  {
    fault: 'the operations of all projects are wrapped once more',
    group: 'list',
    inflict: ({ gateway }) =>
      gateway.misbehave(
        altering(routes.operations, ({ operations = [], ...rest }) => ({
          ...rest,
          operations: operations.map(operation => ({ operation })),
        })),
      ),
    fails: ['operations'],
    reason: 'malformed',
    log: 'N of N operations cannot be used: check that base_url is that of an API of version 2',
  },
  {
    fault: 'the endpoints of all projects cannot be read (500)',
    group: 'list',
    inflict: ({ gateway }) => gateway.misbehave(only(routes.endpoints, answering(500))),
    fails: ['endpoints'],
    reason: 'unavailable',
    log: `500 from GET /projects/{project_id}/endpoints: ${trouble}`,
  },
  {
    fault: 'the operations of one project cannot be read (500)',
    group: 'list',
    inflict: stage => refuseOne(stage, 'operations', 500),
    fails: ['operations'],
    reason: 'unavailable',
    log: `500 from GET /projects/{project_id}/operations: ${trouble}`,
    // The other projects are as fresh as ever.
    alerts: ['DbpmProjectUnreadable'],
  },
];
