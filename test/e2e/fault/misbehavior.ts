import type { IncomingMessage } from 'node:http';
import type { Answer, Misbehavior, Pass } from './gateway.ts';

/** Lists the service has, by the path of their request below the version segment. */
export const routes = {
  projects: /^\/projects(\?|$)/,
  endpoints: /^\/projects\/[^/]+\/endpoints/,
  operations: /^\/projects\/[^/]+\/operations/,
  api_keys: /^\/api_keys/,
} as const;

/** Answers everything so. */
export function answering(
  status: number,
  body = '{"request_id":"r-1","code":"","message":"it is so"}',
  headers: Readonly<Record<string, string>> = {},
): Misbehavior {
  return (_incoming, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** Behaves so on requests whose path below the version segment fits, and well on all others. */
export function only(route: RegExp, behavior: Misbehavior): Misbehavior {
  return (incoming, response, pass) => {
    if (route.test(pathOf(incoming))) behavior(incoming, response, pass);
    else pass();
  };
}

/** Gives the documents of a route changed. */
export function altering(route: RegExp, change: (document: Document, path: string) => unknown): Misbehavior {
  return only(route, (incoming, _response, pass) =>
    pass(answer => ({
      ...answer,
      body: JSON.stringify(change(JSON.parse(answer.body) as Document, pathOf(incoming))),
    })),
  );
}

/** Gives every answer changed. */
export function changing(change: (answer: Answer) => Answer): Misbehavior {
  return (_incoming, _response, pass: Pass) => pass(change);
}

/** Sends these pieces of what should be an HTTP answer, one after each pause, and then nothing or the end. */
export function sending(
  pieces: readonly (string | Buffer)[],
  { everyMs = 0, end = false }: { readonly everyMs?: number; readonly end?: boolean } = {},
): Misbehavior {
  return ({ socket }) => {
    const waiting = [...pieces];
    const send = () => {
      const piece = waiting.shift();
      if (socket.destroyed) return;
      if (piece !== undefined) socket.write(piece);
      if (waiting.length > 0) setTimeout(send, everyMs);
      else if (end) socket.end();
    };
    send();
  };
}

/** A list of projects or of what belongs to one, as far as faults know it. */
export interface Document {
  readonly projects?: readonly Item[];
  readonly endpoints?: readonly Item[];
  readonly operations?: readonly Item[];
  readonly unavailable_project_ids?: readonly unknown[];
  readonly pagination?: Readonly<Record<string, unknown>>;
}

export type Item = Readonly<Record<string, unknown>>;

function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/^\/api\/v2/, '');
}
