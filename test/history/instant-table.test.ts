import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InstantTable } from '../../src/history/commit/cpu-sample.ts';

test('an instant is known of each project it was noted of, however far its number is from the others', () => {
  const project_ref = fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.maxSafeNat());
  fc.assert(
    fc.property(fc.array(fc.tuple(project_ref, fc.maxSafeNat())), project_ref, (noted, other) => {
      const table = new InstantTable();
      const known = new Map(noted);
      for (const [ref, at] of noted) table.set(ref, at);
      for (const ref of [...known.keys(), other]) expect(table.get(ref)).toBe(known.get(ref));
      table.clear();
      expect(table.get(other)).toBeUndefined();
    }),
  );
});
