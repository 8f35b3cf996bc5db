import type { GenericSchema, InferOutput } from 'valibot';
import type { ConsoleSources, ReadContext } from './page.ts';

/** A text that a browser saves as a file. */
interface DownloadedFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** A file that is made when it is asked for; it is at the same path of the console and of `/api/v1`. */
interface ConsoleDownload<Query extends GenericSchema> {
  readonly path: string;
  readonly apiPath: string;
  /** A sentence that says what is in it, and the schemas of its answers by the types that it can have. */
  readonly describe: () => Promise<{
    readonly summary: string;
    readonly answers: Readonly<Record<string, object>>;
  }>;
  /** The parameters of path and query. */
  readonly query: Query;
  readonly make: (
    sources: ConsoleSources,
    query: InferOutput<Query>,
    context: ReadContext,
  ) => Promise<DownloadedFile>;
}

/** A file whatever is asked for it. */
export type AnyDownload = ConsoleDownload<GenericSchema>;

/** Declares a file with the type of its own query. */
export function defineDownload<Query extends GenericSchema>(download: ConsoleDownload<Query>): AnyDownload {
  // Only a query that passed its own schema reaches `make`.
  return download as unknown as AnyDownload;
}
