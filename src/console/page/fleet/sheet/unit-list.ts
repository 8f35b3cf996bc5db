import type { DecimalText } from '../../../../resources/price-book.ts';
import type { UnitColumn } from './fleet-sheet.ts';

/** A decimal of each row; a report shows all values of a column with the same number of decimals. */
export class UnitList {
  #places: number | undefined;
  readonly #units: number[] = [];

  add(value: DecimalText | null): void {
    if (value !== null) this.#places ??= value.includes('.') ? value.length - value.indexOf('.') - 1 : 0;
    this.#units.push(value === null ? Number.NaN : Number(value.replace('.', '')));
  }

  write(order: Uint32Array): UnitColumn {
    const units = Float64Array.from(order, number => this.#units[number] ?? Number.NaN);
    return { places: this.#places ?? 0, units };
  }
}
