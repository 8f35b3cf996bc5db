import type { Grouping } from '../../../../resources/grouping.ts';
import { findAfter, sortText } from '../../../keyset.ts';
import { findChoices } from '../fleet-choice.ts';
import { type FleetSort, fleetSorts, sortValue } from '../fleet-order.ts';
import { type FleetRow, projectStates } from '../fleet-row.ts';
import type { FleetSheet, RankColumn } from './fleet-sheet.ts';
import { UnitList } from './unit-list.ts';
import { WordList } from './word-list.ts';
import { WordPlaces } from './word-places.ts';

const firstSize = 2 ** 16;

/** The values of rows as JSON, one after the other. */
class RowTexts {
  #fields: readonly (keyof FleetRow)[] = [];
  #bytes = Buffer.alloc(firstSize);
  /** Where each begins, and where the last ends. */
  readonly #starts = [0];

  add(row: FleetRow): void {
    if (this.#fields.length === 0) this.#fields = Object.keys(row) as (keyof FleetRow)[];
    const text = JSON.stringify(this.#fields.map(field => row[field]));
    const begin = this.#starts.at(-1) ?? 0;
    const end = begin + Buffer.byteLength(text);
    if (end > this.#bytes.length) this.#grow(end);
    this.#bytes.write(text, begin);
    this.#starts.push(end);
  }

  write(order: Uint32Array): Pick<FleetSheet, 'fields' | 'rows' | 'starts'> {
    const rows = new Uint8Array(this.#starts.at(-1) ?? 0);
    const starts = new Uint32Array(order.length + 1);
    let end = 0;
    for (const [place, number] of order.entries()) {
      const text = this.#bytes.subarray(this.#starts[number], this.#starts[number + 1]);
      rows.set(text, end);
      end += text.length;
      starts[place + 1] = end;
    }
    return { fields: this.#fields, rows, starts };
  }

  #grow(least: number): void {
    const larger = Buffer.alloc(Math.max(least, 2 * this.#bytes.length));
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }
}

/** A column that rows are sorted by: numbers or texts; null where a value is not known. */
class SortColumn {
  /** Numbers, or the places of texts; NaN where there is none. */
  readonly #values: number[] = [];
  readonly #places = new WordPlaces();

  add(value: string | number | null): void {
    this.#values.push(typeof value === 'string' ? this.#places.placeOf(value) : (value ?? Number.NaN));
  }

  rank(order: Uint32Array): RankColumn {
    const values = Float64Array.from(order, number => this.#values[number] ?? Number.NaN);
    return this.#places.words.length > 0 ? this.#rankTexts(values) : rankNumbers(values);
  }

  #rankTexts(places: Float64Array): RankColumn {
    const sorted = [...this.#places.words.entries()].sort(([, a], [, b]) => (a < b ? -1 : 1));
    const rankOf = new Int32Array(sorted.length);
    for (const [rank, [place]] of sorted.entries()) rankOf[place] = rank;
    return { values: sorted.length, ranks: Int32Array.from(places, place => rankOf[place] ?? -1) };
  }
}

function rankNumbers(numbers: Float64Array): RankColumn {
  const sorted = numbers.filter(number => !Number.isNaN(number)).sort();
  const distinct = sorted.filter((number, index) => number !== sorted[index - 1]);
  const ranks = Int32Array.from(numbers, number =>
    Number.isNaN(number) ? -1 : findAfter(distinct, each => (each < number ? -1 : 1)),
  );
  return { values: distinct.length, ranks };
}

/** Rows in any order, with what is said of all of them. */
export interface WrittenRows extends Pick<FleetSheet, 'said' | 'pending'> {
  readonly rows: Iterable<FleetRow>;
  readonly groupings: readonly Grouping[];
}

/** Writes a sheet and keeps no row for it; rows that are equal but for large and small letters stay in their order. */
export function writeSheet({ rows, groupings, said, pending }: WrittenRows): FleetSheet {
  const columns = new SheetColumns(groupings);
  for (const row of rows) columns.add(row);
  return { ...{ said, pending }, ...columns.write() };
}

class SheetColumns {
  readonly #groupings: readonly Grouping[];
  readonly #texts = new RowTexts();
  readonly #keys: string[] = [];
  readonly #ids: string[] = [];
  readonly #names: string[] = [];
  readonly #account = new WordList();
  readonly #region = new WordList();
  readonly #groups: ReadonlyMap<string, WordList>;
  readonly #states: number[] = [];
  readonly #gone: number[] = [];
  readonly #found: number[] = [];
  readonly #hours = new UnitList();
  readonly #cost = new UnitList();
  readonly #forecast = new UnitList();
  readonly #sorts = new Map(fleetSorts.map(sort => [sort, new SortColumn()]));

  constructor(groupings: readonly Grouping[]) {
    this.#groupings = groupings;
    this.#groups = new Map(groupings.map(({ name }) => [name, new WordList()]));
  }

  add(row: FleetRow): void {
    this.#texts.add(row);
    this.#keys.push(sortText(row.project_id));
    this.#ids.push(row.project_id.toLowerCase());
    this.#names.push((row.project_name ?? '').toLowerCase());
    this.#account.add(row.account);
    this.#region.add(row.region_id ?? '');
    for (const [name, words] of this.#groups) words.add(row.groups[name] ?? '');
    this.#states.push(projectStates.indexOf(row.state));
    this.#gone.push(Number(row.goneAt !== null));
    this.#found.push(Number((row.findings ?? 0) > 0));
    this.#hours.add(row.compute_hours);
    this.#cost.add(row.cost);
    this.#forecast.add(row.cost_forecast);
    for (const [sort, column] of this.#sorts) column.add(sortValue(row, sort));
  }

  write(): Omit<FleetSheet, 'said' | 'pending'> {
    const order = this.#order();
    const bytes = (values: readonly number[]) => Uint8Array.from(order, number => values[number] ?? 0);
    const ranks = [...this.#sorts].map(([sort, column]) => [sort, column.rank(order)] as const);
    return {
      choices: findChoices(
        {
          accounts: this.#account.words,
          regions: this.#region.words.filter(region => region !== ''),
          groupsOf: name => this.#groups.get(name)?.words ?? [],
        },
        this.#groupings,
      ),
      ...this.#texts.write(order),
      ...this.#writeNames(order),
      account: this.#account.write(order),
      region: this.#region.write(order),
      groups: Object.fromEntries([...this.#groups].map(([name, words]) => [name, words.write(order)])),
      states: bytes(this.#states),
      gone: bytes(this.#gone),
      found: bytes(this.#found),
      compute_hours: this.#hours.write(order),
      cost: this.#cost.write(order),
      cost_forecast: this.#forecast.write(order),
      order: Object.fromEntries(ranks) as Record<FleetSort, ReturnType<SortColumn['rank']>>,
    };
  }

  /** The numbers of the rows by account and id. */
  #order(): Uint32Array<ArrayBuffer> {
    const accountOf = (number: number) => this.#account.at(number);
    const keyOf = (number: number) => this.#keys[number] ?? '';
    return Uint32Array.from(this.#keys.keys()).sort(
      (a, b) => compare(accountOf(a), accountOf(b)) || compare(keyOf(a), keyOf(b)) || a - b,
    );
  }

  #writeNames(order: Uint32Array): Pick<FleetSheet, 'names' | 'nameStarts'> {
    const nameStarts = new Uint32Array(2 * order.length + 1);
    let names = '';
    for (const [place, number] of order.entries()) {
      names += this.#ids[number] ?? '';
      nameStarts[2 * place + 1] = names.length;
      names += this.#names[number] ?? '';
      nameStarts[2 * place + 2] = names.length;
    }
    return { names, nameStarts };
  }
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
