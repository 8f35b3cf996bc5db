import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Marked, type Token, type Tokens } from 'marked';
import { renderToString } from 'preact-render-to-string';
import { codeBox } from '../../part/code-box.ts';
import { countMore, firstCards } from '../../part/table.ts';

/** The documents, beside `src` in a checkout and in every package. */
const folder = new URL('../../../../docs/', import.meta.url);

/** A document, or one section of it, as the help shows it. */
export interface HelpDocument {
  readonly title: string;
  readonly html: string;
}

/** A document with the question that it answers. */
interface ListedDocument {
  readonly name: string;
  readonly title: string;
  readonly question: string;
}

/** All documents in the order of their titles. */
export function listDocuments(): readonly ListedDocument[] {
  const files = existsSync(folder) ? readdirSync(folder).filter(file => file.endsWith('.md')) : [];
  return files
    .map(file => file.slice(0, -'.md'.length))
    .map(name => {
      const text = readText(name) ?? '';
      const question = /^\*\*(.+?)\*\*/m.exec(text)?.[1]?.replaceAll('`', '') ?? '';
      return { name, title: titleOf(text) ?? name, question };
    })
    .toSorted((a, b) => a.title.localeCompare(b.title, 'en'));
}

/** A document, or a heading in one, whose title or name is looked for. */
interface FoundHelp {
  readonly href: string;
  readonly title: string;
  /** The title of the document that a heading is in; empty for the document itself. */
  readonly within: string;
}

/** Documents and their headings with a text in them: whole titles come before beginnings, and these before the rest. */
export function findHelp(text: string, most: number): readonly FoundHelp[] {
  const asked = text.toLowerCase();
  const rankOf = ({ title }: FoundHelp) => {
    const lower = title.toLowerCase();
    return lower === asked ? 0 : lower.startsWith(asked) ? 1 : 2;
  };
  return listHelp()
    .filter(({ title, href }) => title.toLowerCase().includes(asked) || href === `/help/${asked}`)
    .sort((a, b) => rankOf(a) - rankOf(b))
    .slice(0, most);
}

let help: FoundHelp[] | undefined;

/** The documents of a version do not change; headings in code are none. */
function listHelp(): FoundHelp[] {
  help ??= listDocuments().flatMap(({ name, title: within }) => {
    const headings = marked.lexer(readText(name) ?? '').filter(each => isHeading(each) && each.depth > 1);
    return [
      { href: `/help/${name}`, title: within, within: '' },
      ...headings.flatMap(each =>
        isHeading(each) ? { href: placeOf(name, each.text), title: each.text, within } : [],
      ),
    ];
  });
  return [...help];
}

/** An alert has a page of its own. */
function placeOf(name: string, heading: string): string {
  return /^Dbpm\w+$/.test(heading) ? `/help/${name}/${heading}` : `/help/${name}#${anchorOf(heading)}`;
}

/**
 * A document as HTML without its title, or the section below the heading that is named.
 *
 * @returns undefined where there is no such document, or no such heading in it.
 */
export function readDocument(name: string, heading?: string): HelpDocument | undefined {
  const text = readText(name);
  if (text === undefined) return undefined;
  const tokens = marked.lexer(text);
  const [from, title] =
    heading === undefined
      ? [tokens.findIndex(each => isHeading(each) && each.depth === 1), titleOf(text) ?? name]
      : [tokens.findIndex(each => isHeading(each) && each.text === heading), heading];
  const first = tokens[from];
  if (first === undefined || !isHeading(first)) return undefined;
  const until = tokens.findIndex((each, at) => at > from && isHeading(each) && each.depth <= first.depth);
  const shown = tokens.slice(from + 1, until < 0 ? undefined : until);
  // Links within a section lead to the headings of the whole document.
  const place = heading === undefined ? '' : `/help/${name}`;
  const { settings, assumed } = heading === undefined ? {} : readAround(text, tokens, shown, heading);
  const html = renderSections(makeRenderer(place, settings), shown);
  const more =
    assumed &&
    `<details><summary>What the commands assume</summary>${makeRenderer(place).parser(assumed)}</details>`;
  return { title, html: `${html}${more ?? ''}` };
}

/** A document of fewer sections is short. */
const fewSections = 2;

/** On a phone a tap opens a section. */
function renderSections(renderer: Marked, tokens: readonly Token[]): string {
  const placesOf = (isTitle: (token: Token) => boolean) =>
    tokens.flatMap((each, at) => (isTitle(each) ? [at] : []));
  const headings = placesOf(each => isHeading(each) && each.depth === 2);
  const starts = headings.length < fewSections ? placesOf(isBold) : headings;
  if (starts.length < fewSections) return renderer.parser([...tokens]);
  const before = renderer.parser(tokens.slice(0, starts[0]));
  const sections = starts.map((at, index) => {
    const within = renderer.parser(tokens.slice(at + 1, starts[index + 1]));
    return `${renderer.parser(tokens.slice(at, at + 1))}<details class="ph"><summary>Read</summary></details><div class="rest">${within}</div>\n`;
  });
  return `${before}${sections.join('')}`;
}

/** A paragraph in bold stands for a heading. */
function isBold(token: Token): boolean {
  return token.type === 'paragraph' && token.tokens?.length === 1 && token.tokens[0]?.type === 'strong';
}

/** The values of an alert's settings, and the part of the runbook that its commands assume: a section alone has neither. */
function readAround(text: string, tokens: readonly Token[], shown: readonly Token[], heading: string) {
  const row = text.split('\n').find(line => line.startsWith(`| [\`${heading}\`](`));
  const values =
    row
      ?.split('|')
      .at(-2)
      ?.matchAll(/`([\w]+): ([^`]+)`/g) ?? [];
  const from = tokens.findIndex(each => isHeading(each) && each.text === 'Runbook') + 1;
  const until = tokens.findIndex((each, at) => at >= from && isHeading(each));
  const hasCommands = from > 0 && shown.some(({ type }) => type === 'code');
  return {
    settings: new Map([...values].map(([, name = '', value = '']) => [name, value])),
    assumed: hasCommands ? tokens.slice(from, until < 0 ? undefined : until) : undefined,
  };
}

function readText(name: string): string | undefined {
  const isKnown = /^[\w-]+$/.test(name) && existsSync(new URL(`${name}.md`, folder));
  return isKnown ? readFileSync(new URL(`${name}.md`, folder), 'utf8') : undefined;
}

function titleOf(text: string): string | undefined {
  return /^# (.+)$/m.exec(text)?.[1];
}

function isHeading(token: { readonly type: string }): token is Tokens.Heading {
  return token.type === 'heading';
}

const marked = new Marked();

/**
 * @param place the document that links to a heading alone lead to; empty for the page itself.
 * @param settings values that stand behind the names of settings.
 */
function makeRenderer(place: string, settings?: ReadonlyMap<string, string>): Marked {
  let tables = 0;
  return new Marked({
    renderer: {
      html: ({ text }) => (/^<\/?(?:details|summary|kbd|br)>\s*$/.test(text) ? text : ''),
      heading({ depth, text, tokens }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      table(table) {
        const more = countMore(table.rows.length, firstCards);
        const cells = (row: readonly Tokens.TableCell[], name: string, isOnTap = false) =>
          `<tr${isOnTap ? ' class="rest"' : ''}>${row.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('')}</tr>`;
        const rows = table.rows.map((row, at) => cells(row, 'td', at >= table.rows.length - more)).join('\n');
        const tap = more === 0 ? '' : `<details class="more ph"><summary>${more} more</summary></details>`;
        tables += 1;
        return `<div class="wide" tabindex="0" role="region" aria-label="Table ${tables}"><table><thead>${cells(table.header, 'th')}</thead><tbody>${rows}</tbody></table>${tap}</div>\n`;
      },
      codespan({ text }) {
        const value = settings?.get(text);
        return `<code>${escapeText(text)}</code>${value === undefined ? '' : ` (${escapeText(value)})`}`;
      },
      code: ({ text }) => `${renderToString(codeBox(text))}\n`,
      image: ({ text }) => `<em>${escapeText(text)}</em>`,
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const target = helpLinkOf(href, place);
        return target === undefined ? words : `<a href="${escapeText(target)}">${words}</a>`;
      },
    },
  });
}

/** Where a link of a document leads to in the help; undefined for a file that is not served. */
function helpLinkOf(href: string, place: string): string | undefined {
  if (/^https?:/.test(href)) return href;
  const [, name, anchor = ''] = /^(?:([\w-]+)\.md)?(#[\w-]+)?$/.exec(href) ?? [];
  if (name !== undefined) return `/help/${name}${anchor}`;
  return anchor === '' ? undefined : `${place}${anchor}`;
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
