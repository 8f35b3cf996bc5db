import { writeDecimal } from '../../../../cost/money/decimal-sum.ts';
import type { DecimalText } from '../../../../resources/price-book.ts';
import { groupPath, matchGroup } from '../../../chosen-group.ts';
import type { FleetSort, SortOrder } from '../fleet-order.ts';
import type { FleetQuery } from '../fleet-query.ts';
import { type FleetRow, projectStates } from '../fleet-row.ts';
import type { FleetSheet, UnitColumn, WordColumn } from './fleet-sheet.ts';

/** Conditions on projects; an empty text is none. */
export type FleetFilter = Pick<
  FleetQuery,
  'q' | 'account' | 'group' | 'region' | 'state' | 'finding' | 'gone'
>;

/** Numbers of rows. */
type RowNumbers = Uint32Array<ArrayBuffer>;

/** A sheet to look things up in: a page reads the rows that it shows, and runs over the others' numbers alone. */
export class OpenSheet {
  readonly #sheet: FleetSheet;

  constructor(sheet: FleetSheet) {
    this.#sheet = sheet;
  }

  get told(): Pick<FleetSheet, 'said' | 'pending' | 'choices'> {
    return this.#sheet;
  }

  row(number: number): FleetRow {
    const { fields, rows, starts } = this.#sheet;
    const text = Buffer.from(rows.buffer, starts[number], lengthAt(starts, number)).toString();
    const values: readonly unknown[] = JSON.parse(text);
    // A sheet writes all values of its rows.
    return Object.fromEntries(fields.map((field, index) => [field, values[index]])) as unknown as FleetRow;
  }

  /** The rows that are asked for, in no order but that of the sheet. */
  find(filter: FleetFilter): RowNumbers {
    const { gone, states, found, account, region } = this.#sheet;
    const [isAccount, isRegion] = [wanted(account, filter.account), wanted(region, filter.region)];
    const state = filter.state === 'all' ? -1 : projectStates.indexOf(filter.state);
    const isInGroup = this.#wantedGroup(filter.group);
    const hasText = this.#wantedText(filter.q.toLowerCase());
    return Uint32Array.from(gone.keys()).filter(
      number =>
        (filter.gone === 'all' || (gone[number] === 1) === (filter.gone === 'only')) &&
        isAccount(number) &&
        isRegion(number) &&
        (state === -1 || states[number] === state) &&
        (filter.finding === 'all' || (found[number] === 1) === (filter.finding === 'with')) &&
        isInGroup(number) &&
        hasText(number),
    );
  }

  /** Rows with the same value stay in the order of the sheet, and those without one are last. */
  sort(numbers: RowNumbers, by: FleetSort, order: SortOrder): RowNumbers {
    const { values, ranks } = this.#sheet.order[by];
    const placeOf = (number: number) => {
      const rank = ranks[number] ?? -1;
      if (rank < 0) return values;
      return order === 'asc' ? rank : values - 1 - rank;
    };
    const next = new Uint32Array(values + 2);
    for (const number of numbers) next[placeOf(number) + 1] = (next[placeOf(number) + 1] ?? 0) + 1;
    for (let place = 1; place < next.length; place += 1)
      next[place] = (next[place] ?? 0) + (next[place - 1] ?? 0);
    const sorted = new Uint32Array(numbers.length);
    for (const number of numbers) {
      const place = placeOf(number);
      const index = next[place] ?? 0;
      sorted[index] = number;
      next[place] = index + 1;
    }
    return sorted;
  }

  /** The sum of what is known of rows; null where nothing is. */
  sum(numbers: RowNumbers, column: 'compute_hours' | 'cost' | 'cost_forecast'): DecimalText | null {
    const { places, units }: UnitColumn = this.#sheet[column];
    let sum = 0;
    let known = 0;
    for (const number of numbers) {
      const value = units[number] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      sum += value;
      known += 1;
    }
    return known === 0 ? null : writeDecimal(BigInt(sum), places);
  }

  /** Whether a group is called so, or has this text in its name. */
  hasGroup(text: string): boolean {
    const paths = this.#groupPaths();
    return paths.some(matchGroup(text, paths));
  }

  #groupPaths(): readonly string[] {
    return Object.entries(this.#sheet.groups).flatMap(([grouping, { words }]) =>
      words.map(name => groupPath(grouping, name)),
    );
  }

  #wantedGroup(text: string): (number: number) => boolean {
    if (text === '') return () => true;
    const isMeant = matchGroup(text, this.#groupPaths());
    const meant = Object.entries(this.#sheet.groups).map(([grouping, { words, indexes }]) => {
      const places = new Set([...words.keys()].filter(at => isMeant(groupPath(grouping, words[at] ?? ''))));
      return { indexes, places };
    });
    return number => meant.some(({ indexes, places }) => places.has(indexes[number] ?? -1));
  }

  /** Looks through all ids and names at once. */
  #wantedText(text: string): (number: number) => boolean {
    if (text === '') return () => true;
    const { names, nameStarts, gone } = this.#sheet;
    const has = new Uint8Array(gone.length);
    let field = 0;
    for (let at = names.indexOf(text); at >= 0; ) {
      while ((nameStarts[field + 1] ?? Number.POSITIVE_INFINITY) <= at) field += 1;
      const isWithin = at + text.length <= (nameStarts[field + 1] ?? 0);
      if (isWithin) has[field >> 1] = 1;
      at = names.indexOf(text, isWithin ? nameStarts[field + 1] : at + 1);
    }
    return number => has[number] === 1;
  }
}

function wanted({ words, indexes }: WordColumn, asked: string): (number: number) => boolean {
  if (asked === '') return () => true;
  const place = words.indexOf(asked);
  return number => indexes[number] === place;
}

function lengthAt(starts: Uint32Array, number: number): number {
  return (starts[number + 1] ?? 0) - (starts[number] ?? 0);
}
