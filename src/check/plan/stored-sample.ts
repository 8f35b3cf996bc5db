/**
 * Bytes that a sample takes in the engines that are measured, with its share of their index, where scrapes are late by some
 * milliseconds; rounded up. The benchmark `stored-sample` measures them. Where scrapes come on time it is about a third.
 */
export const storedBytesPerSample = {
  prometheus: 2.5,
  victoriametrics: 0.2,
} as const;

export type StorageEngine = keyof typeof storedBytesPerSample;
