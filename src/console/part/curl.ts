/** A part of a path within single quotes of a shell. */
function quotable(part: string): string {
  return encodeURIComponent(part).replaceAll("'", '%27');
}

/**
 * A request to the service as a command, with the key left to the reader's environment.
 *
 * @param base_url the address of the service, with a slash at its end or none.
 */
export function curlOf(method: 'GET' | 'DELETE', base_url: string, ...path: readonly string[]): string {
  const url = `${base_url.replace(/\/$/, '').replaceAll("'", '%27')}/${path.map(quotable).join('/')}`;
  return `curl -sS${method === 'GET' ? '' : ` -X ${method}`} -H "Authorization: Bearer $KEY" '${url}'`;
}
