import type { FleetRow } from '../fleet-row.ts';
import type { FleetSheet } from './fleet-sheet.ts';

const firstSize = 2 ** 16;

/** The values of rows as JSON, one after the other. */
export class RowTexts {
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
