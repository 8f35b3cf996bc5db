/** A longer name is cut where it stands among others. */
const longestName = 120;

/** A longer sentence has a name in it that is too long. */
const longestSentence = 1000;

/** A name from the service, cut where it is too long to be read. */
export function shownName(name: string): string {
  return cutText(name, longestName);
}

/** A sentence with names from the service in it, cut where it is too long to be read. */
export function shownSentence(sentence: string): string {
  return cutText(sentence, longestSentence);
}

function cutText(text: string, longest: number): string {
  const characters = [...text.slice(0, 4 * longest)];
  return characters.length <= longest && text.length <= 4 * longest
    ? text
    : `${characters.slice(0, longest - 1).join('')}…`;
}

/** A finished page without characters that move the cursor or turn the direction of text: names come from users. */
export function withoutControls(page: string): string {
  return page.replace(/(?![\n\t])[\p{Cc}\p{Cf}]|[\u2028\u2029]|\p{Cs}/gu, ' ');
}
