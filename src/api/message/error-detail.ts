import { oneLine } from './one-line.ts';

/**
 * The sentence of an error body: `{"request_id","code","message"}`, each optional, as seen on live services.
 * Undefined for anything else, such as the HTML page of a gateway.
 */
export function errorDetail(text: string, apiKey: string): string | undefined {
  const body = parseObject(text);
  if (body === undefined) return undefined;
  const parts = (['message', 'code', 'request_id'] as const).flatMap(key => {
    const value = body[key];
    const said = typeof value === 'string' ? oneLine(value, apiKey) : '';
    if (said === '') return [];
    return key === 'message' ? [said] : [`${key} ${said}`];
  });
  return parts.length === 0 ? undefined : parts.join(', ');
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
