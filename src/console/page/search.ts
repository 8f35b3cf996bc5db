import * as v from 'valibot';
import type { FoundThing } from '../../history/browse/browsed-search.ts';
import type { BrowsedHistory } from '../../history/browse/history-browser.ts';
import type { Grouping } from '../../resources/grouping.ts';
import type { LinkTemplates } from '../../resources/link-template.ts';
import { nothingFound } from '../bar.ts';
import { groupPath } from '../chosen-group.ts';
import { drawOuterLinks, outerLinksField, outerLinksOf } from '../outer-link.ts';
import { type AnyPage, definePage } from '../page.ts';
import { limit, text } from '../parameter.ts';
import { addressOf, keyAnchor, operationPath, pathOf } from '../part/address.ts';
import { card } from '../part/card.ts';
import { html, type Markup } from '../part/html.ts';
import { shownName } from '../part/shown-text.ts';

const kinds = ['page', 'group', 'project', 'endpoint', 'branch', 'key', 'operation', 'help'] as const;

const resultField = v.object({
  kind: v.picklist(kinds),
  /** Null for a page, a group and for help. */
  account: v.nullable(v.string()),
  /** Its id; of a page and of help, the path; of a group as `team/platform`. */
  id: v.string(),
  name: v.nullable(v.string()),
  project_id: v.nullable(v.string()),
  project_name: v.nullable(v.string()),
  detail: v.string(),
  is_gone: v.boolean(),
  /** The page that shows it. */
  href: v.string(),
  links: outerLinksField,
});
type Result = v.InferOutput<typeof resultField>;

const answer = v.object({
  q: v.string(),
  results: v.array(resultField),
});
const query = v.object({ q: text(), limit: limit(20, 50) });

/** Everything by name and id, from any page. */
export function searchPageOf(pages: readonly AnyPage[]): AnyPage {
  return definePage({
    path: '/search',
    title: 'Search',
    summary:
      'Projects, endpoints, branches, groups, API keys, operations, pages and help whose name or id has a text.',
    query,
    answer,
    async read({ config, history }, { q, limit }) {
      const asked = q.trim();
      const [groups, found] = (asked === ''
        ? undefined
        : history.look(
            ({ search }) =>
              [findGroups(search, config.groupings, asked, limit), search.find(asked, limit)] as const,
          )) ?? [[], []];
      return {
        q,
        results: [
          ...findPages(pages, asked),
          ...groups,
          ...found.map(each => writeThing(each, config.links)),
          ...(asked === '' ? [] : await findDocuments(asked, limit)),
        ],
      };
    },
    titleOf: ({ q }) => (q === '' ? 'Search' : `Search for ${shownName(q)}`),
    draw: drawSearch,
  });
}

/** What is of no account. */
const ofNone = { account: null, project_id: null, project_name: null, is_gone: false, links: [] };

/** Pages by their titles and paths; all of them where nothing is asked for. */
function findPages(pages: readonly AnyPage[], asked: string): Result[] {
  const lower = asked.toLowerCase();
  return pages
    .filter(
      ({ path, title }) =>
        !path.includes('{') && (title.toLowerCase().includes(lower) || path.includes(lower)),
    )
    .map(({ path, title, summary }) => ({
      ...ofNone,
      ...{ kind: 'page', id: path, name: title, detail: summary, href: path },
    }));
}

/** Groups by their names: the list of their projects shows them. */
function findGroups(
  search: BrowsedHistory['search'],
  groupings: readonly Grouping[],
  asked: string,
  most: number,
): Result[] {
  const lower = asked.toLowerCase();
  return groupings
    .flatMap(({ name: grouping, groups, by }) => {
      const names = by === undefined ? groups.map(({ name }) => name) : search.owners(by, asked, most);
      return names.map(name => ({ name, detail: grouping, id: groupPath(grouping, name) }));
    })
    .filter(({ name }) => name.toLowerCase().includes(lower))
    .slice(0, most)
    .map(group => ({
      ...ofNone,
      ...group,
      ...{ kind: 'group', href: addressOf('/projects', { group: group.id }) },
    }));
}

/** Documents are read when somebody looks for something. */
async function findDocuments(asked: string, most: number): Promise<Result[]> {
  const { findHelp } = await import('./help/document.ts');
  return findHelp(asked, most).map(({ href, title, within }) => ({
    ...ofNone,
    ...{ kind: 'help', id: href, name: title, detail: within, href },
  }));
}

function writeThing({ is_gone, detail, ...thing }: FoundThing, templates: LinkTemplates): Result {
  return {
    ...thing,
    detail: detail ?? '',
    is_gone: is_gone === 1,
    href: placeOf(thing),
    links: linksOf(thing, templates),
  };
}

function linksOf(
  { kind, id, ...within }: Pick<FoundThing, 'kind' | 'account' | 'project_id' | 'id'>,
  templates: LinkTemplates,
): Result['links'] {
  return kind === 'key' ? [] : outerLinksOf(templates, [kind], { ...within, [`${kind}_id`]: id });
}

function placeOf({
  kind,
  account,
  project_id,
  id,
}: Pick<FoundThing, 'kind' | 'account' | 'project_id' | 'id'>): string {
  const project = pathOf('projects', account, project_id ?? '');
  switch (kind) {
    case 'project':
      return project;
    case 'endpoint':
    case 'branch':
      // The table of endpoints has their branches.
      return `${project}#endpoints`;
    case 'operation':
      return operationPath({ account, project_id: project_id ?? '', operation_id: id });
    case 'key':
      // As many keys as a page can have: the row may be far down.
      return `${addressOf('/keys', { account, limit: 500 })}#${keyAnchor(id)}`;
  }
}

function drawSearch({ q, results }: v.InferOutput<typeof answer>): Markup {
  const groups = [...Map.groupBy(results, ({ kind }) => kind)];
  return html`<form class="filter" method="get" action="/search" role="search" aria-label="Search everything" autocomplete="off"><label>Name or id<input type="search" name="q" value=${q} maxlength="200" autofocus /></label><button class="btn" type="submit">Search</button></form>
${results.length === 0 && html`<p class="m">${nothingFound}</p>`}
${groups.map(([kind, found]) => html`${card(titles[kind], html`<ul class="rows">${found.map(drawResult)}</ul>`)}`)}`;
}

const titles: Readonly<Record<Result['kind'], string>> = {
  page: 'Pages',
  group: 'Groups',
  project: 'Projects',
  endpoint: 'Endpoints',
  branch: 'Branches',
  key: 'API keys',
  operation: 'Operations',
  help: 'Help',
};

function drawResult({
  kind,
  name,
  id,
  account,
  project_name,
  project_id,
  detail,
  is_gone,
  href,
  links,
}: Result): Markup {
  const isOfConsole = kind === 'page' || kind === 'help';
  const within = kind === 'project' ? '' : shownName(project_name ?? project_id ?? '');
  const said = [within, detail, is_gone ? 'gone' : ''].filter(each => each !== '').join(' · ');
  return html`<li class="two"><span class="t"><a href=${href}><b>${shownName(name ?? id)}</b></a> <span class="s">${shownName(said)}</span></span><span class="r s">${drawOuterLinks(links)}${!isOfConsole && name !== null && html`<code>${shownName(id)}</code> `}${account !== null && shownName(account)}</span></li>`;
}
