import { hash } from '../random.ts';

/** Somebody who has access to an account. */
export interface Person {
  readonly id: string;
  readonly name: string;
  /** Address of a picture. */
  readonly image: string;
}

const names = ['Ada Novak', 'Björn Öztürk', 'Chidi Okafor', 'Dana Levi'] as const;

/** The same person for the same word. */
export function personOf(seed: number, word: string): Person {
  const index = hash(seed, 'person', word) % names.length;
  const digits = [1, 2, 3, 4].map(part => hash(seed, index, part).toString(16).padStart(8, '0')).join('');
  const id = `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
  return { id, name: names[index] ?? names[0], image: `https://avatars.example/${index}.png` };
}
