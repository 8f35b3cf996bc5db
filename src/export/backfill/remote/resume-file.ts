import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { readSourceFile } from '../../../config/source-file.ts';
import { writeWhole } from '../../../history/file/whole-file.ts';
import { describeError } from '../../../log/error-record.ts';
import { Failure } from '../../../resources/failure.ts';

/** How far an export has come. */
export interface SendCheckpoint {
  /** First and last instant of the export, epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  /** The last instant with all samples taken; absent while there is none. */
  readonly sentUntil?: number;
  /** Samples that were taken until then. */
  readonly samples: number;
}

interface Stored extends SendCheckpoint {
  readonly version: 1;
  /** Digest of where it goes and what it is of. */
  readonly export: string;
}

/** Tells exports apart by where they go and what they are of; nothing of it can be read from it. */
export function digestExport(identity: unknown): string {
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
}

/** Keeps how far an export has come: a run that was broken off is gone on with by the next one. */
export class ResumeFile {
  readonly path: string;
  readonly #digest: string;

  constructor(path: string, digest: string) {
    this.path = path;
    this.#digest = digest;
  }

  /**
   * @returns undefined where nothing of it was sent yet.
   * @throws Failure when the file is of another export or cannot be read.
   */
  read(): SendCheckpoint | undefined {
    const text = this.#readText();
    if (text === undefined) return undefined;
    const stored = parseStored(text);
    if (stored === undefined)
      throw new Failure(`${this.path} does not say how far an export has come: name another with --resume`);
    if (stored.export !== this.#digest)
      throw new Failure(
        `${this.path} is of an export of another history, range or series, or to another receiver: name another with --resume, or remove it`,
      );
    return stored;
  }

  /** @throws Failure when the file cannot be written; what was there stays. */
  write(checkpoint: SendCheckpoint): void {
    const stored: Stored = { version: 1, export: this.#digest, ...checkpoint };
    try {
      writeWhole(this.path, `${JSON.stringify(stored)}\n`);
    } catch (error) {
      throw new Failure(
        `${resolve(this.path)} cannot be written: ${describeError(error)}; name another file with --resume`,
      );
    }
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  #readText(): string | undefined {
    try {
      return readSourceFile(this.path).text;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw new Failure(`${resolve(this.path)} cannot be read: ${describeError(error)}`);
    }
  }
}

function parseStored(text: string): Stored | undefined {
  try {
    const stored: Partial<Stored> | null = JSON.parse(text);
    const { version, from, to, sentUntil = 0, samples } = stored ?? {};
    const areInstants = [from, to, sentUntil, samples].every(Number.isSafeInteger);
    return version === 1 && areInstants ? (stored as Stored) : undefined;
  } catch {
    return undefined;
  }
}
