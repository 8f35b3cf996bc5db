import { computeWords } from './compute-word.ts';
import { daemonWords } from './daemon-word.ts';
import { findingWords } from './finding-word.ts';
import { ledgerWords } from './ledger-word.ts';
import { moneyWords } from './money-word.ts';

/** A word that pages use, explained for someone who meets it for the first time. */
interface Word {
  readonly word: string;
  /** One or two sentences. */
  readonly meaning: string;
  /** The same in numbers. */
  readonly example: string;
}

const sections = [
  { title: 'Compute', words: computeWords },
  { title: 'Cost and forecast', words: moneyWords },
  { title: 'Kinds of findings', words: findingWords },
  { title: 'How use is known', words: ledgerWords },
  { title: 'The service, and how it is read', words: daemonWords },
] as const;

/** Names a word, also in addresses: `/words#idle_tail`. */
export type WordId =
  | keyof typeof computeWords
  | keyof typeof moneyWords
  | keyof typeof findingWords
  | keyof typeof ledgerWords
  | keyof typeof daemonWords;

/** All words by what they are about, in the order they are read. */
export const wordSections: readonly {
  readonly title: string;
  readonly words: readonly (Word & { readonly id: string })[];
}[] = sections.map(({ title, words }) => ({
  title,
  words: Object.entries(words).map(([id, word]) => ({ id, ...word })),
}));

const byId: Readonly<Record<string, Word>> = Object.assign({}, ...sections.map(({ words }) => words));

/** @returns undefined of a name that no word has. */
export function findWord(id: string): Word | undefined {
  return Object.hasOwn(byId, id) ? byId[id] : undefined;
}
