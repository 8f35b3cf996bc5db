import type { PageQuestion } from '../console/page-question.ts';
import type { RefusedPage } from '../http/console-answer.ts';

/** Whether an address has a secret in it, written in any way that a page would say it back. */
export function holdsSecret(
  { path, search }: Pick<PageQuestion, 'path' | 'search'>,
  redact: (text: string) => string,
): boolean {
  const written = path + search;
  return [written, decode(written)].some(text => redact(text) !== text);
}

/** The answer to such an address, which says nothing of it. */
export const secretAddressAnswer: RefusedPage = {
  status: 400,
  headers: {},
  line: 'This address has a key in it, and is not answered: leave the key out.',
};

/** As it is read; as it is where it cannot be. */
function decode(address: string): string {
  try {
    return decodeURIComponent(address.replaceAll('+', ' '));
  } catch {
    return address;
  }
}
