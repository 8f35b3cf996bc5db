/** A path with a query that holds the state of a page; what is absent or empty is left out. */
export function addressOf(
  path: string,
  state: Readonly<Record<string, string | number | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) {
    if (value !== undefined && value !== '') query.set(key, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** A path with a part for each value, such as `/projects/main/p1`. */
export function pathOf(...parts: readonly string[]): string {
  return parts.map(part => `/${encodeURIComponent(part)}`).join('');
}

/** The page of an operation. */
export function operationPath({
  account,
  project_id,
  operation_id,
}: {
  readonly account: string;
  readonly project_id: string;
  readonly operation_id: string;
}): string {
  return pathOf('operations', account, project_id, operation_id);
}

/** The place of an API key on the page of keys. */
export function keyAnchor(key_id: string): string {
  return `key-${encodeURIComponent(key_id.slice(0, 100).toWellFormed())}`;
}
