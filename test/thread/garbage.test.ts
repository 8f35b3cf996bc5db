import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { allowGivingBack, giveBackGarbage, giveBackQuickly } from '../../src/thread/garbage.ts';

beforeAll(allowGivingBack);

test.each([
  { name: 'thoroughly', giveBack: giveBackGarbage },
  { name: 'quickly', giveBack: giveBackQuickly },
])('what nothing refers to any more is given back $name', async ({ giveBack }) => {
  const kept = { numbers: new Float64Array(1000) };
  const refs = [new WeakRef(kept), new WeakRef({ numbers: new Float64Array(1000) })];
  // What was just referred to weakly lives until the end of the turn.
  await nextTurn();
  giveBack();
  await nextTurn();
  expect(refs.map(ref => ref.deref())).toEqual([kept, undefined]);
});
