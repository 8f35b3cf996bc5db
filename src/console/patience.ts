/**
 * Waits for a value, but no longer than a reader would; it goes on being worked out for the next reader.
 *
 * @param whenLate gives what is answered instead, or throws.
 */
export async function waitAtMost<Value>(
  value: Promise<Value>,
  patienceMs: number,
  whenLate: () => Value,
): Promise<Value> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, patienceMs);
  try {
    return await Promise.race([value, late.promise.then(whenLate)]);
  } finally {
    clearTimeout(timer);
  }
}
