import * as v from 'valibot';
import { definePage } from '../../page.ts';
import { PageProblem } from '../../page-problem.ts';
import { name } from '../../parameter.ts';
import { pathOf } from '../../part/address.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import type { HelpDocument } from './document.ts';

/** Loaded when somebody asks for help: most daemons never render a document. */
const loadDocuments = () => import('./document.ts');

const documentAnswer = v.object({ title: v.string(), html: v.string() });

/** All documents of this version. */
const listPage = definePage({
  path: '/help',
  title: 'Help',
  summary: 'The documents of this version.',
  reads: [],
  query: v.object({}),
  answer: v.object({
    documents: v.array(v.object({ name: v.string(), title: v.string(), question: v.string() })),
  }),
  async read() {
    const { listDocuments } = await loadDocuments();
    return { documents: [...listDocuments()] };
  },
  draw: ({ documents }) =>
    html`<nav class="card index" aria-label="Documents">${documents.map(each => html`<a href=${pathOf('help', each.name)}><b>${each.title}</b><span class="s">${each.question}</span></a>`)}</nav>`,
});

/** One document. */
const documentPage = definePage({
  path: '/help/{document}',
  title: 'Help',
  summary: 'A document of this version, as HTML.',
  reads: [],
  query: v.object({ document: name() }),
  answer: documentAnswer,
  read: (_sources, { document }) => find(document),
  titleOf: ({ title }) => title,
  head: () => ({ crumb: crumbs([['Help', '/help']]) }),
  draw: drawDocument,
});

/** The page of what an alert is about, by words in its name. */
const alertPages: readonly (readonly [alert: RegExp, words: string, href: string])[] = [
  [/Operation.*Failed/, 'Operations that failed', '/operations?status=failed'],
  [/Operation.*Stuck/, 'Operations that are stuck now', '/operations?status=in_progress'],
  [/Operation/, 'Operations in progress', '/operations?status=in_progress'],
  [/Endpoint|Project[A-Z]/, 'Projects', '/projects'],
  [/ApiKey/, 'API keys', '/keys'],
  [/Budget[A-Z]/, 'Cost', '/cost'],
  [/Findings/, 'Savings', '/findings'],
  [/^Dbpm/, 'Health', '/health'],
];

/** The section of a document: that of each alert in the runbook is `/help/alerts/NAME`. */
const sectionPage = definePage({
  path: '/help/{document}/{section}',
  title: 'Help',
  summary: 'The section of a document below a heading, such as that of an alert in the runbook, as HTML.',
  reads: [],
  query: v.object({ document: name(), section: name() }),
  answer: documentAnswer,
  read: (_sources, { document, section }) => find(document, section),
  titleOf: ({ title }) => title,
  head: (_answer, { query: { document, section } }) => {
    const [, words, href] = alertPages.find(([alert]) => document === 'alerts' && alert.test(section)) ?? [];
    return {
      crumb: crumbs([
        ['Help', '/help'],
        [document, pathOf('help', document)],
      ]),
      ...(href !== undefined && { actions: html`<a class="btn" href=${href}>${words}</a>` }),
    };
  },
  draw: drawDocument,
});

/** The documents that pages, alerts and boards refer to. */
export const helpPages = [listPage, documentPage, sectionPage];

/** @throws PageProblem where there is no such document or section. */
async function find(document: string, section?: string): Promise<HelpDocument> {
  const { readDocument } = await loadDocuments();
  const found = readDocument(document, section);
  if (found !== undefined) return found;
  const shown = [document, ...(section === undefined ? [] : [section])].join('/').slice(0, 120);
  const whole =
    readDocument(document) === undefined
      ? []
      : [{ address: pathOf('help', document), words: `The whole document ${document}` }];
  throw new PageProblem(404, 'There is no such document', `The help has nothing called "${shown}".`, [
    ...whole,
    '/help',
  ]);
}

function crumbs(places: readonly (readonly [title: string, href: string])[]): Content {
  return places.map(([title, href], index) => html`${index > 0 && ' / '}<a href=${href}>${title}</a>`);
}

function drawDocument({ html: rendered }: HelpDocument): Markup {
  return html`<section class="card mb"><article class="prose" dangerouslySetInnerHTML=${{ __html: rendered }}></article></section>`;
}
