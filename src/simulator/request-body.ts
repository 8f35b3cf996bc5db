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

export function isFields(value: unknown): value is BodyFields {
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
