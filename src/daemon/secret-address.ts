import type { PageAnswer, PageQuestion } from '../console/message.ts';

/** Whether an address has a secret in it, written in any way that a page would say it back. */
export function holdsSecret(
  { path, search }: Pick<PageQuestion, 'path' | 'search'>,
  redact: (text: string) => string,
): boolean {
  const written = path + search;
  return [written, decode(written)].some(text => redact(text) !== text);
}

/** The answer to such an address, which says nothing of it. */
export const secretAddressAnswer: PageAnswer = {
  status: 400,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: Buffer.from('This address has a key in it, and is not answered: leave the key out.\n'),
};

/** As it is read; as it is where it cannot be. */
function decode(address: string): string {
  try {
    return decodeURIComponent(address.replaceAll('+', ' '));
  } catch {
    return address;
  }
}
