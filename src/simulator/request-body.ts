import type { IncomingMessage } from 'node:http';
import { Refusal } from './model/refusal.ts';

export type BodyFields = Readonly<Record<string, unknown>>;

const maximumBytes = 1_000_000;

/** In a form everything is text; what is none by its name becomes a number or a truth value where it looks like one. */
const textFields: ReadonlySet<string> = new Set(['branch_id', 'key_name', 'pooler_mode', 'type']);

/**
 * Reads a JSON or form-encoded body into an object; JSON also where curl calls it a form unasked. Throws a `Refusal`:
 * 413 too large, 400 anything but an object.
 */
export async function readRequestBody(request: IncomingMessage): Promise<BodyFields> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maximumBytes) {
      throw new Refusal(413, `the body is larger than ${maximumBytes} bytes`, { connection: 'close' });
    }
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const contentType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const isForm = contentType === 'application/x-www-form-urlencoded' && !text.startsWith('{');
  return isForm ? parseForm(text) : parseJson(text);
}

function isFields(value: unknown): value is BodyFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): BodyFields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const problem = text === '' ? 'it is empty' : cause instanceof Error ? cause.message : 'it is malformed';
    throw new Refusal(400, `the body must be a JSON object, but ${problem}`);
  }
  if (!isFields(value)) throw new Refusal(400, 'the body must be a JSON object');
  return value;
}

/** `endpoint[branch_id]=x` means `{ endpoint: { branch_id: 'x' } }`. */
function parseForm(text: string): BodyFields {
  const form = newFields();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter(part => part !== '');
    const leaf = path.pop();
    if (leaf === undefined) continue;
    let parent = form;
    for (const part of path) {
      const child = isMutableFields(parent[part]) ? parent[part] : newFields();
      parent[part] = child;
      parent = child;
    }
    parent[leaf] = textFields.has(leaf) ? value : parseFormValue(value);
  }
  return form;
}

/** Without a prototype, so that a field called `__proto__` is a field like any other. */
function newFields(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function isMutableFields(value: unknown): value is Record<string, unknown> {
  return isFields(value);
}

function parseFormValue(value: string): string | number | boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** Reads a field that may be absent. Throws a 400 `Refusal` that says what is expected if it is something else. */
export function readText(fields: BodyFields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  throw new Refusal(400, `${name} must be a non-empty string, not ${JSON.stringify(value)}`);
}

/** As `readText`; a number from `minimum` to `maximum`. */
export function readNumber(
  fields: BodyFields,
  name: string,
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, whole = false } = {},
): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  const isNumber = typeof value === 'number' && value >= minimum && value <= maximum;
  if (isNumber && (!whole || Number.isSafeInteger(value))) return value;
  const range = Number.isFinite(minimum) ? ` from ${minimum}` : '';
  const end = Number.isFinite(maximum) ? ` to ${maximum}` : '';
  throw new Refusal(
    400,
    `${name} must be a ${whole ? 'whole ' : ''}number${range}${end}, not ${JSON.stringify(value)}`,
  );
}

/** As `readText`; true or false. */
export function readFlag(fields: BodyFields, name: string): boolean | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === 'boolean') return value;
  throw new Refusal(400, `${name} must be true or false, not ${JSON.stringify(value)}`);
}

/** As `readText`; an object. */
export function readObject(fields: BodyFields, name: string): BodyFields | undefined {
  const value = fields[name];
  if (value === undefined || isFields(value)) return value;
  throw new Refusal(400, `${name} must be an object, not ${JSON.stringify(value)}`);
}

/** A field that must not be absent. */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Refusal(400, `${name} is required`);
  return value;
}
