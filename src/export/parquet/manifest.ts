import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { valueKinds } from '../../report/format/value-kind.ts';
import { Failure } from '../../resources/failure.ts';
import { parquetTables } from './table/parquet-table-list.ts';
import { writeWholeFile } from './whole-file.ts';

/** It rises when a column changes its meaning or goes; new ones only add to the end. */
export const schemaVersion = 1;

const fileSchema = v.object({
  table: v.string(),
  path: v.string(),
  rows: v.number(),
  bytes: v.number(),
  sha256: v.string(),
});
const daySchema = v.object({
  account: v.string(),
  day: v.string(),
  from: v.string(),
  until: v.string(),
  price_book: v.optional(v.string()),
  files: v.array(fileSchema),
});
const manifestSchema = v.object({
  schema_version: v.number(),
  timezone: v.string(),
  personal: v.boolean(),
  days: v.array(daySchema),
});

export type ParquetFile = v.InferOutput<typeof fileSchema>;
/** A day of an account whose files are all there; a table without rows has none. */
export type WrittenDay = v.InferOutput<typeof daySchema>;
type Manifest = v.InferOutput<typeof manifestSchema>;

/** The terms that all days of a folder have in common. */
type ParquetTerms = Pick<Manifest, 'timezone' | 'personal'>;

export function manifestPath(folder: string): string {
  return join(folder, 'manifest.json');
}

/**
 * The manifest of a folder; an empty one where there is none.
 *
 * @throws Failure when it is none of this version, or on other terms.
 */
export function readManifest(folder: string, terms: ParquetTerms): Manifest {
  const path = manifestPath(folder);
  if (!existsSync(path)) return { schema_version: schemaVersion, ...terms, days: [] };
  const manifest = parseManifest(path);
  if (manifest.schema_version !== schemaVersion)
    throw new Failure(
      `${path} has the schema version ${manifest.schema_version}, and this writes ${schemaVersion}: export to another folder`,
    );
  if (manifest.timezone !== terms.timezone)
    throw new Failure(
      `the days in ${folder} are those of usage.timezone ${manifest.timezone}, not of ${terms.timezone}: export to another folder`,
    );
  if (manifest.personal !== terms.personal)
    throw new Failure(
      `${folder} was written ${manifest.personal ? 'with' : 'without'} --personal: do it again so, or export to another folder`,
    );
  return manifest;
}

function parseManifest(path: string): Manifest {
  try {
    return v.parse(manifestSchema, JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new Failure(`${path} is no manifest of an export: name another folder with --out`);
  }
}

/** The next writing waits this many times as long as the last one took: with years of days each takes long. */
const restFactor = 20;

/** The manifest of a folder that days are added to. */
export class GrowingManifest {
  readonly #folder: string;
  readonly #head: string;
  /** By account and day. */
  readonly #lines: Map<string, string>;
  readonly #now: () => number;
  #isBehind = false;
  #nextAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a clock that never steps. */
  constructor(folder: string, { days, ...terms }: Manifest, now: () => number = () => performance.now()) {
    this.#folder = folder;
    this.#head = JSON.stringify({ ...terms, tables: describeTables() }, null, 2).replace(/\n}$/, '');
    this.#lines = new Map(days.map(day => [keyOf(day), renderDay(day)]));
    this.#now = now;
  }

  /** Whether a day is in it, written or not yet. */
  has(day: Pick<WrittenDay, 'account' | 'day'>): boolean {
    return this.#lines.has(keyOf(day));
  }

  /**
   * Adds a day whose files are all there; it is written with one of the next, or when it is saved.
   *
   * @throws Failure when it cannot be written.
   */
  add(day: WrittenDay): void {
    const key = keyOf(day);
    this.#lines.delete(key);
    this.#lines.set(key, renderDay(day));
    this.#isBehind = true;
    if (this.#now() >= this.#nextAt) this.save();
  }

  /** @throws Failure when what was added cannot be written. */
  save(): void {
    if (!this.#isBehind) return;
    const beganAt = this.#now();
    const lines = [...this.#lines.values()].join(',\n');
    writeWholeFile(manifestPath(this.#folder), `${this.#head},\n  "days": [\n${lines}\n  ]\n}\n`);
    this.#isBehind = false;
    const endedAt = this.#now();
    this.#nextAt = endedAt + restFactor * (endedAt - beganAt);
  }
}

function keyOf({ account, day }: Pick<WrittenDay, 'account' | 'day'>): string {
  return JSON.stringify([account, day]);
}

function renderDay(day: WrittenDay): string {
  return `    ${JSON.stringify(day)}`;
}

function describeTables() {
  return Object.fromEntries(
    parquetTables.map(({ name, columns }) => [
      name,
      Object.fromEntries(columns.map(({ key, kind }) => [key, valueKinds[kind].sql])),
    ]),
  );
}
