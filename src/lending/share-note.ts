import * as v from 'valibot';

/** A part of a share that another shard may use. */
export interface Loan {
  /** The number of the shard that may use it. */
  readonly to: number;
  /** The turn of that shard which this answers: it may use it for a lease from the beginning of that turn. */
  readonly turn: string;
  /** Requests a minute. */
  readonly perMinute: number;
}

/** All that a shard tells the others about its share of an account's requests. */
export interface ShareNote {
  readonly shard: number;
  readonly shards: number;
  /** Requests a minute of all shards together: only those lend to each other that agree on it. */
  readonly ceiling: number;
  /** Another one with each note, and in no other run. */
  readonly turn: string;
  /** Requests a minute that it lacks. */
  readonly wanted: number;
  /** Requests a minute that may be in use by others, answers of earlier notes counted. */
  readonly lent: number;
  readonly loans: readonly Loan[];
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const turn = v.pipe(v.string(), v.minLength(1), v.maxLength(100));

const noteSchema = v.object({
  shard: count,
  shards: count,
  ceiling: count,
  turn,
  wanted: amount,
  lent: amount,
  loans: v.array(v.object({ to: count, turn, perMinute: amount })),
});

/** @returns undefined for anything else than a note. */
export function parseNote(text: string): ShareNote | undefined {
  try {
    const { success, output } = v.safeParse(noteSchema, JSON.parse(text));
    return success ? output : undefined;
  } catch {
    return undefined;
  }
}

export function renderNote(note: ShareNote): string {
  return `${JSON.stringify(note)}\n`;
}
