import { addressOf } from './address.ts';
import { html, type Markup } from './html.ts';
import { showNumber } from './number.ts';

interface PagerOptions {
  readonly path: string;
  /** The state of the page without its cursor. */
  readonly state: Readonly<Record<string, string | number | undefined>>;
  /** Where this part begins; empty for the first one. */
  readonly cursor: string;
  /** Where the next part begins; null after the last one. */
  readonly nextCursor: string | null;
  readonly shown: number;
  /** Rows of all parts; absent where they were not counted. */
  readonly total?: number;
  /** Such as `projects`. */
  readonly noun: string;
  /** The place on the page where the list is, where other things come before it. */
  readonly anchor?: string;
}

/** Leads from one part of many rows to the next by their key, so that rows that come or go shift none. */
export function pager({
  path,
  state,
  cursor,
  nextCursor,
  shown,
  total,
  noun,
  anchor,
}: PagerOptions): Markup | null {
  const at = anchor === undefined ? '' : `#${anchor}`;
  const isWhole = cursor === '' && nextCursor === null;
  if (shown === 0 && cursor === '') return null;
  const counted = total === undefined ? '' : ` of ${showNumber(total)}`;
  const said = isWhole
    ? `${showNumber(shown)} ${shown === 1 ? noun.replace(/s(?= |$)/, '') : noun}`
    : `${showNumber(shown)}${counted} ${noun}${cursor !== '' ? ', not the first ones' : total === undefined ? ', and more' : ''}`;
  return html`<nav class="pager" aria-label=${`Parts of the list of ${noun}`}><span>${said}</span>
${cursor !== '' && html`<a href=${`${addressOf(path, state)}${at}`}>To the beginning</a>`}
${nextCursor !== null && html`<a rel="next" href=${`${addressOf(path, { ...state, cursor: nextCursor })}${at}`}>Next</a>`}</nav>`;
}
