import { addressOf } from './address.ts';
import { type Content, html, type Markup } from './html.ts';
import { shownName } from './shown-text.ts';

/** One of the values a field can have. */
interface FilterOption {
  readonly value: string;
  readonly label: string;
  /** The heading it stands below. */
  readonly group?: string;
}

/** A field of a filter: one with options is chosen from, others are written. */
export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options?: readonly FilterOption[];
  /** Values that are offered while one is written. */
  readonly suggestions?: readonly string[];
  /** The value that filters nothing, where it is not the first option or empty. */
  readonly usual?: string;
  /** Words that stand in it while nothing is written. */
  readonly hint?: string;
}

interface FilterOptions {
  /** Its name, such as `Filter of projects`. */
  readonly label: string;
  readonly path: string;
  readonly fields: readonly FilterField[];
  /** The rest of the state of the page that the filter keeps, such as how it is sorted. */
  readonly kept?: Readonly<Record<string, string | number | undefined>>;
}

/** Above this number of options a text is typed, and matching options are offered. */
const mostOptions = 30;

/** A field to choose from a few options, or to write one of many. */
export function choiceField(
  { name, label, value, hint }: Pick<FilterField, 'name' | 'label' | 'value' | 'hint'>,
  options: readonly FilterOption[],
): FilterField {
  // A part of a name can be asked for, too: a choice of all would say that nothing was.
  const asked = value === '' || options.some(each => each.value === value) ? [] : [{ value, label: value }];
  return options.length <= mostOptions
    ? { name, label, value, options: [{ value: '', label: 'all' }, ...asked, ...options] }
    : {
        name,
        label,
        value,
        suggestions: options.map(each => each.value),
        ...(hint !== undefined && { hint }),
      };
}

/** A form that filters a page by its address, with a way to take the filter away. */
export function filterForm({ label, path, fields, kept = {} }: FilterOptions): Markup {
  const isFiltered = fields.some(({ value, options, usual = options?.[0]?.value ?? '' }) => value !== usual);
  return html`<form class="filter" method="get" action=${path} role="search" aria-label=${label} autocomplete="off">
${fields.map(field => html`<label>${field.label}${field.options === undefined ? writtenField(field) : chosenField(field, field.options)}</label>`)}
${hiddenFields(kept)}
<button class="btn" type="submit">Show</button>${isFiltered && html`<a class="a" href=${addressOf(path, kept)}>Show all</a>`}</form>`;
}

/** The state of a page that a form keeps; what is empty is left out. */
export function hiddenFields(state: Readonly<Record<string, string | number | undefined>>): Content {
  return Object.entries(state)
    .filter(([, value]) => value !== '' && value !== undefined)
    .map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`);
}

function writtenField({ name, value, hint, suggestions }: FilterField): Markup {
  const list = suggestions === undefined ? null : `${name}-suggestions`;
  return html`<input type="search" name=${name} value=${value} placeholder=${hint} maxlength="200" list=${list} />${suggestions !== undefined && html`<datalist id=${list}>${suggestions.map(each => html`<option value=${each}></option>`)}</datalist>`}`;
}

function chosenField({ name, value }: FilterField, options: readonly FilterOption[]): Markup {
  const groups = [...Map.groupBy(options, ({ group }) => group)];
  const draw = (each: FilterOption) =>
    html`<option value=${each.value} selected=${each.value === value}>${shownName(each.label)}</option>`;
  return html`<select name=${name}>${groups.map(([group, members]) => (group === undefined ? members.map(draw) : html`<optgroup label=${shownName(group)}>${members.map(draw)}</optgroup>`))}</select>`;
}
