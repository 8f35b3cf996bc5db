import { redactText } from '../log/redaction.ts';
import type { Operation } from '../resources/operation.ts';

const longestError = 500;

/**
 * The operation with the service's words on its error as they may be written down: one line, nothing invisible, without
 * the key, should the service repeat it, and cut.
 */
export function cleanError(operation: Operation, readApiKey: () => string): Operation {
  const { error, ...others } = operation;
  if (error === undefined) return operation;
  const apiKey = tryKey(readApiKey);
  // Words that may hold a key that is not known here are not kept.
  if (apiKey === undefined) return others;
  const visible = error.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  const characters = [...redactText(visible, [apiKey])];
  if (characters.length === 0) return others;
  const isLong = characters.length > longestError;
  const kept = isLong ? `${characters.slice(0, longestError - 1).join('')}…` : characters.join('');
  return { ...others, error: kept };
}

function tryKey(readApiKey: () => string): string | undefined {
  try {
    return readApiKey();
  } catch {
    return undefined;
  }
}
