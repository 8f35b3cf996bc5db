import { lastListedAt } from '../resources/account.ts';
import type { BannerContent } from './banner.ts';
import { isFailure } from './condition/condition.ts';
import type { AnyPage, ConsoleSources, Countable } from './page.ts';
import { addressOf } from './part/address.ts';
import { html, type Markup } from './part/html.ts';
import { icon } from './part/icon.ts';
import { showNumber } from './part/number.ts';
import { shownName } from './part/shown-text.ts';
import { parametersOf } from './query.ts';

export interface BarContent extends Pick<ConsoleSources, 'history'>, Omit<BannerContent, 'restsOn'> {
  readonly path: string;
  /** The part of the address behind the question mark. */
  readonly search: string;
  readonly pages: readonly AnyPage[];
}

type Known = Pick<BarContent, 'live' | 'conditions' | 'history'>;

/** Said where a search finds nothing, below its field and on its page. */
export const nothingFound =
  'Nothing has this in its name or id. Projects, endpoints, branches, groups, API keys, pages and help are searched, and operations by the first eight letters of their id.';

/** The bar above every page: pages, search, accounts, theme and density. */
export function drawBar(content: BarContent): Markup {
  return html`<header class="bar">
<a class="logo" href="/" aria-current=${content.path === '/' ? 'page' : null}><svg viewBox="0 0 24 24" aria-hidden="true"><rect class="ft" width="24" height="24" rx="6" /><path class="fs" d="M5.5 15.5h3v3h-3zM10.5 11h3v7.5h-3zM15.5 6h3v12.5h-3z" /></svg>dbpm-exporter</a>
${drawNavigation(content)}
<div class="tools"><form class="find" role="search" method="get" action="/search">${icon('find')}<input name="q" type="search" aria-label="Search everything" placeholder="Search by name or id" maxlength="200" autocomplete="off" data-nothing=${nothingFound} /><kbd aria-hidden="true">/</kbd></form>
<a class="btn sq to-find" href="/search" aria-label="Search">${icon('find')}</a>
${drawAccounts(content)}
${tasteMenu}</div></header>`;
}

/** The path of the listed page that a page lies below, or is. */
export function outerPathOf({ path, within = `/${path.split('/')[1]}` }: AnyPage): string {
  return within;
}

function drawNavigation({ path, search, pages, page, ...known }: BarContent): Markup {
  const outer = page && outerPathOf(page);
  const account = new URLSearchParams(search).get('account') ?? '';
  const current = (each: AnyPage) => (each.path !== outer ? null : each.path === path ? 'page' : 'true');
  const address = (each: AnyPage) =>
    addressOf(each.path, parametersOf(each.query).includes('account') ? { account } : {});
  return html`<nav class="nav" id="nav" aria-label="Pages">${pages
    .filter(({ isListed }) => isListed)
    .map(
      each =>
        html`<a href=${address(each)} aria-current=${current(each)}>${each.title}${drawCount(each, known)}</a>`,
    )}</nav>`;
}

/** How much of a page waits to be looked at, where that is known at once. */
function drawCount({ count }: AnyPage, { live, conditions, history }: Known): Markup | null {
  const lookOnce: Countable['lookOnce'] = (what, read) => {
    try {
      return history.lookOnce(what, read);
    } catch {
      // The page itself says that the history cannot be read.
      return undefined;
    }
  };
  const { number, what, isUrgent } = count?.({ live, conditions, lookOnce }) ?? { number: 0, what: '' };
  if (number === 0) return null;
  return html`<span class=${isUrgent ? 'n crit' : 'n'} title=${what}>${showNumber(number)}<span class="vh">: ${what}</span></span>`;
}

/** The accounts that a page can be of; where there is one, its name and how it is. */
function drawAccounts({ path, search, page, accounts, ...known }: BarContent): Markup | null {
  const [only] = accounts;
  if (only === undefined) return null;
  if (accounts.length === 1) return html`<span class="btn of">${dot(known, only)}${shownName(only)}</span>`;
  const query = new URLSearchParams(search);
  const chosen = query.get('account') ?? '';
  const isFiltered = page !== undefined && parametersOf(page.query).includes('account');
  // A cursor is of the list it was made for.
  const { cursor: _cursor, ...state } = Object.fromEntries(query);
  const address = (account: string) =>
    isFiltered && !page.path.includes('{account}')
      ? addressOf(path, { ...state, account })
      : addressOf('/projects', { account });
  const option = (account: string, name: string) =>
    html`<a href=${address(account)} aria-current=${account === chosen ? 'true' : null}>${account === '' ? html`<i></i>` : dot(known, account)}<span>${name}</span>${account !== '' && html`<span class="s">${describe(known, account)}</span>`}</a>`;
  return html`<details class="pick"><summary>${chosen !== '' && dot(known, chosen)}${chosen === '' ? `${showNumber(accounts.length)} accounts` : shownName(chosen)}${icon('down')}</summary><nav class="menu" aria-label="Accounts">${option('', 'All accounts')}${accounts.map(each => option(each, shownName(each)))}</nav></details>`;
}

/** Green says that it was read. */
function dot({ live, conditions }: Known, account: string): Markup {
  const up = live.overviews.find(({ summary }) => summary.account === account)?.summary.up;
  const isBad = conditions.some(each => isFailure(each) && each.account === account);
  return html`<i class=${isBad ? 'dot bad' : up === true ? 'dot' : 'dot off'}></i>`;
}

function describe({ live }: Known, account: string): string {
  const found = live.overviews.find(({ summary }) => summary.account === account);
  if (found === undefined || lastListedAt(found.summary) === undefined) return 'not read yet';
  const { projects, endpoints, summary } = found;
  const counted = `${showNumber(projects)} projects, ${showNumber(endpoints)} endpoints`;
  return summary.up === false ? `cannot be read now; ${counted}` : counted;
}

const tastes = {
  theme: { '': 'System', light: 'Light', dark: 'Dark' },
  density: { '': 'Comfortable', compact: 'Compact' },
};

/** It needs a script to be kept: without one it is not shown. */
const tasteMenu = html`<details class="pick taste" hidden><summary class="sq" aria-label="Theme and density">${icon('theme')}</summary><div class="menu">${Object.entries(
  tastes,
).map(
  ([name, values]) =>
    html`<fieldset><legend class="s">${name === 'theme' ? 'Theme' : 'Density'}</legend><div class="seg">${Object.entries(values).map(([value, label]) => html`<button type="button" data-taste=${name} value=${value} aria-pressed="false">${label}</button>`)}</div></fieldset>`,
)}</div></details>`;
