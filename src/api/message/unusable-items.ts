import { ApiError } from './api-error.ts';

/** Items of a list: how many there are, and how many of them could not be read. */
export interface ItemCount {
  readonly size: number;
  readonly rejected: number;
}

/** The error (malformed) where most items of a list cannot be used: the others would pass for all there are. */
export function findUnusable(route: string, { size, rejected }: ItemCount): ApiError | undefined {
  if (rejected <= size / 2) return undefined;
  const advice = 'check that base_url is that of an API of version 2';
  const message = `${rejected} of ${size} items in the answer of GET ${route} cannot be used: ${advice}`;
  return new ApiError('malformed', route, message);
}
