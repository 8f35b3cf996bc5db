/**
 * Whether a text as a whole matches a glob: `*` stands for any characters or none, `?` for any one. Takes no longer for
 * hostile ones.
 */
export function matchesGlob(glob: string, text: string): boolean {
  const wanted = [...glob];
  const given = [...text];
  let at = 0;
  /** Where to go on when what follows the last `*` does not fit: it then stands for one character more. */
  let star: { readonly next: number; readonly at: number } | undefined;
  let next = 0;
  while (at < given.length) {
    if (wanted[next] === '*') {
      star = { next: next + 1, at };
      next += 1;
    } else if (wanted[next] === '?' || wanted[next] === given[at]) {
      next += 1;
      at += 1;
    } else if (star !== undefined) {
      star = { next: star.next, at: star.at + 1 };
      ({ next, at } = star);
    } else return false;
  }
  return wanted.slice(next).every(character => character === '*');
}
