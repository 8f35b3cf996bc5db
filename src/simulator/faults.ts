import { validateHeaderName, validateHeaderValue } from 'node:http';
import { Refusal } from './model/refusal.ts';
import { type BodyFields, readFlag, readNumber, readObject, readText, required } from './request-body.ts';

/**
 * How matching calls go wrong. With a status, a body or `close` it is the answer itself; otherwise the real answer
 * comes, after its delay and with its headers.
 */
export interface Fault {
  readonly id: number;
  /** `METHOD /path` below /api/v2, where `*` stands for any characters. */
  readonly match: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly delay_ms?: number;
  /** Cuts the connection; after half of the body if there is one. */
  readonly close?: boolean;
  /** Calls left; absent until cleared. */
  times?: number;
}

export interface Faults {
  /** Throws a 400 `Refusal` that says what is expected. */
  add(body: BodyFields): Fault;
  list(): readonly Fault[];
  clear(): void;
  /** The first one added that matches, counted down. */
  take(method: string, path: string): Fault | undefined;
}

export const faultFields = ['match', 'status', 'headers', 'body', 'delay_ms', 'close', 'times'] as const;

/** Headers that say where a message ends: another value would break the connection, and `close` does that. */
const framingHeaders: readonly string[] = ['content-length', 'transfer-encoding'];

export function createFaults(): Faults {
  let active: { fault: Fault; pattern: RegExp }[] = [];
  let nextId = 1;
  return {
    add(body) {
      const fault = readFault(nextId, body);
      nextId += 1;
      active.push({ fault, pattern: toPattern(fault.match) });
      return fault;
    },
    list: () => active.map(({ fault }) => fault),
    clear() {
      active = [];
    },
    take(method, path) {
      const found = active.find(({ pattern }) => pattern.test(`${method} ${path}`));
      if (found?.fault.times !== undefined) {
        found.fault.times -= 1;
        if (found.fault.times === 0) active = active.filter(other => other !== found);
      }
      return found?.fault;
    },
  };
}

/** Whether the fault gives the answer itself. */
export function isAnswering({ status, body, close }: Fault): boolean {
  return status !== undefined || body !== undefined || close === true;
}

function toPattern(match: string): RegExp {
  return new RegExp(`^${match.split('*').map(RegExp.escape).join('.*')}$`, 's');
}

function readFault(id: number, body: BodyFields): Fault {
  const match = required(readText(body, 'match'), 'match');
  if (!/^(?:[A-Z]+|\*)(?: ?\*| \/.*)?$/s.test(match)) {
    throw new Refusal(400, `match must be like "GET /projects/*/operations", not "${match}"`);
  }
  const { body: text } = body;
  if (text !== undefined && typeof text !== 'string') {
    throw new Refusal(400, 'body must be a string, which is sent as it is');
  }
  const fields = {
    status: readNumber(body, 'status', { minimum: 200, maximum: 599, whole: true }),
    headers: readHeaders(body),
    body: text,
    delay_ms: readNumber(body, 'delay_ms', { minimum: 0, maximum: 600_000 }),
    close: readFlag(body, 'close'),
    times: readNumber(body, 'times', { minimum: 1, whole: true }),
  };
  return {
    id,
    match,
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
  };
}

function readHeaders(body: BodyFields): Readonly<Record<string, string>> | undefined {
  const headers = readObject(body, 'headers');
  if (headers === undefined) return undefined;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => readHeader(name, value)));
}

function readHeader(originalName: string, value: unknown): readonly [name: string, value: string] {
  const name = originalName.toLowerCase();
  if (framingHeaders.includes(name)) {
    throw new Refusal(
      400,
      `headers must not have ${name}: for an answer that is cut off use close with a body`,
    );
  }
  if (typeof value !== 'string') {
    throw new Refusal(400, `headers.${name} must be a string, not ${JSON.stringify(value)}`);
  }
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (cause) {
    throw new Refusal(400, `headers must be HTTP headers: ${cause instanceof Error ? cause.message : cause}`);
  }
  return [name, value];
}
