import { type Problem, quoteValue } from './problem.ts';

/** True if the text may be the key itself, pasted where its file or variable should be named. */
function mayBeKey(text: string): boolean {
  if (text.length >= 16 && !/[./]/.test(text) && /\d/.test(text)) return true;
  return text
    .split(/[^A-Za-z0-9]/)
    .some(part => part.length >= 24 || (part.length >= 10 && /\d/.test(part) && /[A-Za-z]/.test(part)));
}

const notShown = 'something not shown here, as it may be the key itself';

/** The path of a key file as a problem may show it. */
export function showKeyFile(path: string): string {
  return mayBeKey(path) ? notShown : quoteValue(path);
}

/** The name of the variable of a key as a problem may show it. */
export function showKeyVariable(name: string): string {
  return /^[A-Z][A-Z0-9_]*$/.test(name) && !mayBeKey(name) ? quoteValue(name) : notShown;
}

/** An address as a problem may show it: it can carry a password or a key by mistake, or be one. */
export function showUrl(url: string): string {
  const shown = url.replace(/^([a-z][a-z\d+.-]*:\/+|https?:)?.*@/is, '$1…@').replace(/[?#].*$/s, '?…');
  return mayBeKey(shown) ? notShown : quoteValue(shown);
}

/** The problem without what it names and quotes, where that holds one of these keys or is the beginning of one. */
export function hideKeys(problem: Problem, keys: readonly string[]): Problem {
  const hide = (text: string) => (keys.some(key => holdsKey(text, key)) ? notShown : text);
  return { ...problem, key: hide(problem.key), found: hide(problem.found) };
}

/** Shorter texts are in others by chance. */
const shortestKey = 4;

function holdsKey(text: string, key: string): boolean {
  if (key.length < shortestKey) return false;
  const cut = /^"(?<beginning>.*)"…$/s.exec(text)?.groups?.beginning;
  return text.includes(key) || (cut !== undefined && key.startsWith(cut));
}
