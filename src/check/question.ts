import { ApiError } from '../api/message/api-error.ts';
import type { Answer } from './answers.ts';

/** What becomes of a question to the service. Throws the signal's reason, and what is no failure of the service. */
export async function ask<Value>(
  signal: AbortSignal,
  question: () => Promise<Value>,
): Promise<Answer<Value>> {
  try {
    return { value: await question() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) return { error };
    throw error;
  }
}
