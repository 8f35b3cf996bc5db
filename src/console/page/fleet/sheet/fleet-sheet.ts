import type { FleetChoices } from '../fleet-choice.ts';
import type { FleetSort } from '../fleet-order.ts';
import type { FleetRow } from '../fleet-row.ts';
import type { FigureName, FiguresSaid } from './fleet-figure.ts';

/** Some words, and which of them each row has. */
export interface WordColumn {
  readonly words: readonly string[];
  readonly indexes: Uint32Array<ArrayBuffer>;
}

/** Decimals of the rows in units of the last place; NaN where there is none. */
export interface UnitColumn {
  readonly places: number;
  readonly units: Float64Array<ArrayBuffer>;
}

/** The place of each row among the different values of a column, -1 where it has none. */
export interface RankColumn {
  readonly values: number;
  readonly ranks: Int32Array<ArrayBuffer>;
}

/**
 * All projects with their figures, written so that another thread takes the rows it shows and reads no others: by account
 * and id, with the columns that they are looked for, sorted and added up by.
 */
export interface FleetSheet {
  readonly said: FiguresSaid;
  /** Figures that are still being worked out. */
  readonly pending: readonly FigureName[];
  readonly choices: FleetChoices;
  /** The names of a row's values. */
  readonly fields: readonly (keyof FleetRow)[];
  /** The values of each row as JSON, one after the other; where each begins, and where the last ends. */
  readonly rows: Uint8Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
  /** Ids and names in small letters, one after the other; where each begins, and where the last ends. */
  readonly names: string;
  readonly nameStarts: Uint32Array<ArrayBuffer>;
  readonly account: WordColumn;
  readonly region: WordColumn;
  readonly groups: Readonly<Record<string, WordColumn>>;
  /** By their place among the states. */
  readonly states: Uint8Array<ArrayBuffer>;
  /** 1 where a project is gone. */
  readonly gone: Uint8Array<ArrayBuffer>;
  /** 1 where there are findings. */
  readonly found: Uint8Array<ArrayBuffer>;
  readonly compute_hours: UnitColumn;
  readonly cost: UnitColumn;
  readonly cost_forecast: UnitColumn;
  readonly order: Readonly<Record<FleetSort, RankColumn>>;
}
