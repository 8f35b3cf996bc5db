import { Refusal } from './model/refusal.ts';
import type { BodyFields } from './request-body.ts';

/** Throws a 400 `Refusal` for the first field that is not `known`; it names the most similar one that is. */
export function refuseUnknownFields(fields: BodyFields, known: readonly string[]): void {
  const unknown = Object.keys(fields).find(name => !known.includes(name));
  if (unknown === undefined) return;
  const bySimilarity = known.toSorted(
    (left, right) => measureSimilarity(unknown, right) - measureSimilarity(unknown, left),
  );
  throw new Refusal(
    400,
    `there is no field ${unknown}: did you mean ${bySimilarity[0]}? All fields: ${known.join(', ')}`,
  );
}

/** From 0 for no pair of neighbouring letters in common to 1 for all (Dice's coefficient). */
function measureSimilarity(left: string, right: string): number {
  const [leftPairs, rightPairs] = [listPairs(left), listPairs(right)];
  const inCommon = [...leftPairs].filter(pair => rightPairs.has(pair));
  return (2 * inCommon.length) / (leftPairs.size + rightPairs.size);
}

/** With a mark at either end, so that a word of one letter has pairs and first letters count. */
function listPairs(word: string): Set<string> {
  const marked = `^${word.toLowerCase()}$`;
  return new Set(Array.from({ length: marked.length - 1 }, (_, index) => marked.slice(index, index + 2)));
}
