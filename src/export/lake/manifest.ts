import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { Failure } from '../../resources/failure.ts';

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

export type LakeFile = v.InferOutput<typeof fileSchema>;
/** A day of an account whose files are all there; a table without rows has none. */
export type WrittenDay = v.InferOutput<typeof daySchema>;
export type Manifest = v.InferOutput<typeof manifestSchema>;

/** The terms that all days of a folder have in common. */
export type LakeTerms = Pick<Manifest, 'timezone' | 'personal'>;

export function manifestPath(folder: string): string {
  return join(folder, 'manifest.json');
}

/**
 * The manifest of a folder; an empty one where there is none.
 *
 * @throws Failure when it is none of this version, or on other terms.
 */
export function readManifest(folder: string, terms: LakeTerms): Manifest {
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
