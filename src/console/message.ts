import type { ConsoleConfig } from './console-config.ts';
import type { LiveState } from './live-state.ts';

/** A request for a page, or for the JSON behind one. */
export interface PageQuestion {
  /** As the client wrote it, such as `/projects`. */
  readonly path: string;
  /** The query with its `?`; empty without one. */
  readonly search: string;
  readonly acceptsGzip: boolean;
  /** The `If-None-Match` header. */
  readonly ifNoneMatch?: string;
  /** Whether the reader may see personal data: addresses of API keys, and who people are. */
  readonly showsPersonal: boolean;
}

/** An answer as it goes out. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The settings that the console's thread is started with. */
export interface ConsoleWorkerData {
  readonly config: ConsoleConfig;
  readonly version: string;
  /** The name of the channel to the thread that makes reports. */
  readonly reportChannel: string;
}

/** A message to the console's thread: a question, or that whoever asked one has gone. */
export type ConsoleMessage = ConsoleRequest | { readonly gone: number };

export interface ConsoleRequest {
  readonly id: number;
  readonly question: PageQuestion;
  readonly live: LiveState;
}

/** A message of the console's thread: an answer, that the thread that makes reports hangs, or why figures cannot be made. */
export type ConsoleEvent = ConsoleReply | { readonly reportsHang: true } | { readonly failure: unknown };

export interface ConsoleReply {
  readonly id: number;
  readonly answer: PageAnswer;
  /** Why the page could not be made, for the log; absent where it could. */
  readonly failure?: unknown;
}
