import { asInstant } from '../../resources/field.ts';

/** Fields that say when something happened; others may hold instants still to come, such as the end of a period. */
const fields: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'last_active', 'last_used_at']);

/** The instants at which things happened, by the body of an answer, in epoch milliseconds. */
export function listInstants(body: unknown): readonly number[] {
  const found: number[] = [];
  const waiting: unknown[] = [body];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, item] of Object.entries(value)) {
      const at = fields.has(key) ? asInstant(item) : undefined;
      if (at !== undefined) found.push(at);
      else if (typeof item === 'object') waiting.push(item);
    }
  }
  return found;
}
