import { ApiError } from '../../api/message/api-error.ts';
import type { Answer } from './answers.ts';

/** Asks, and takes a failure of the service as an answer. Throws the signal's reason, and any other error. */
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
