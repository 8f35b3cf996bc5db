import type { LoginFiles } from './login.ts';

/** A receiver of remote write, and how it is dealt with. */
export interface RemoteRequest extends LoginFiles {
  /** The address of the receiver. */
  readonly remoteWrite?: string;
  /** The file that keeps how far the sending has come; one beside the history where it is not given. */
  readonly resume?: string;
  /** A file with certificates of authorities that are trusted besides those of Node, as PEM. */
  readonly caFile?: string;
  /** Milliseconds without anything taken after which the receiver is given up; ten minutes. */
  readonly patience?: number;
}

/** Flags that mean something for a receiver alone, by the field they fill. */
const remoteFlags = {
  resume: '--resume',
  caFile: '--ca-file',
  patience: '--patience',
  bearerTokenFile: '--bearer-token-file',
  basicAuthFile: '--basic-auth-file',
  headerFile: '--header-file',
} as const satisfies Partial<Record<keyof RemoteRequest, string>>;

/** The first flag that means nothing, as no receiver is given; undefined where there is none. */
export function findIdleFlag(request: RemoteRequest): string | undefined {
  if (request.remoteWrite !== undefined) return undefined;
  const fields = Object.keys(remoteFlags) as (keyof typeof remoteFlags)[];
  const idle = fields.find(field => request[field] !== undefined);
  return idle && remoteFlags[idle];
}
