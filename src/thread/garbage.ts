import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (how?: object) => void;

let collect: Collect | undefined;

/**
 * Lets all threads give back garbage; without it nothing is given back. To be called by the main thread before it starts others:
 * Node keeps compiled code apart by the flags of V8 that a thread begins with, so one that is set later makes others compile all
 * of their code again.
 */
export function allowGivingBack(): void {
  setFlagsFromString('--expose-gc');
}

function collector(): Collect {
  collect ??= runInNewContext('globalThis.gc ?? (() => {})') as Collect;
  return collect;
}

/** Work that takes so long leaves garbage behind that is worth the time it takes to give it back, in milliseconds. */
export const largeWorkMs = 200;

/**
 * Gives back the memory of all that this thread refers to no longer, as soon as the work that goes on has let go of its own. V8
 * would wait until much more is to be collected, and a heap as large as that stays resident. It takes 50 to 100 ms of a heap that
 * was large: for a moment without waiting readers.
 */
export function giveBackGarbage(): void {
  setImmediate(() => collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' }));
}

/** As `giveBackGarbage`, but what can be had in some 15 ms, which may be half of it. */
export function giveBackQuickly(): void {
  setImmediate(() => collector()());
}
