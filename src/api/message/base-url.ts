const example = 'https://api.example.com/api/v2/';

/**
 * Reads a base address: the root of the service including its version segment, with or without the last slash.
 * Answers the URL, its path ending in a slash, or one sentence saying what is wrong and what to write instead;
 * the sentence never repeats the address, which may carry a secret by mistake.
 */
export function checkBaseUrl(text: string): URL | string {
  const url = URL.parse(text);
  if (url === null) return `is not an address; write one such as ${example}`;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return `must start with https://, such as ${example}`;
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not carry a user name or password; the API key has a setting of its own';
  }
  if (/[?#]/.test(text))
    return `must not carry a query or a fragment; end it after the path, such as ${example}`;
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'must start with https://, because over http:// the API key travels readable; http:// is for loopback addresses only';
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** `hostname` as URL normalises it: numeric addresses in dotted form, IPv6 in brackets. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
