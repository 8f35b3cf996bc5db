import { type Content, html } from './html.ts';
import { clock } from './instant.ts';

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

/** Instants, paths, commands and settings in a sentence of the log. */
const codeWords =
  /(\d{4}-\d\d-\d\dT[\d:.]+Z|(?:\/[\w.-]+)+|dbpm-exporter [a-z-]+|\baccounts\[\]\.\w+|\b[a-z]+(?:\.[a-z]+)*\.?[a-z]+_[a-z_]+\b|\b(?:projects|history|collect|web)\.[a-z_]+\b)/;

/** A sentence of the log with what stands in it for a reader: settings as such, and instants short. */
export function markCode(sentence: string, now: number): readonly Content[] {
  return sentence
    .split(codeWords)
    .map((part, index) =>
      index % 2 === 0 ? part : instantText.test(part) ? clock(part, now) : html`<code>${part}</code>`,
    );
}

const instantText = /^\d{4}-\d\d-\d\dT/;

function cutText(text: string, longest: number): string {
  const characters = [...text.slice(0, 4 * longest)];
  return characters.length <= longest && text.length <= 4 * longest
    ? text
    : `${characters.slice(0, longest - 1).join('')}…`;
}

/** A finished page without characters that move the cursor or turn the direction of text: names come from users. */
export function withoutControls(page: string): string {
  // Nearly all of a page is printable ASCII, which is looked through much faster.
  return page.replace(/[^\n\t -~]+/g, rare => rare.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ' '));
}
