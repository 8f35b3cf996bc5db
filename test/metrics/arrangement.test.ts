import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrange } from '../../src/metrics/page/arrangement.ts';

const hole = undefined;

describe('an arrangement', () => {
  it('brings what changes to the front and holes to the end', () => {
    expect(arrange([0, hole, 0, 5, hole, 5])).toEqual([3, 5, 2, 0, 4, 1]);
  });

  it('moves nothing that stands among its like', () => {
    expect(arrange([4, 5, 7, 1, 0, 0])).toEqual([0, 1, 2, 3, 4, 5]);
    expect(arrange([4, 0, 0, 0, 0, 6])).toEqual([0, 5, 2, 3, 4, 1]);
  });

  it('takes no difference between about as many changes', () => {
    expect(arrange([2, 3, 2, 3])).toEqual([0, 1, 2, 3]);
    expect(arrange([2, 4])).toEqual([1, 0]);
  });

  it('of nothing is nothing', () => {
    expect(arrange([])).toEqual([]);
  });

  it('loses nothing, has no hole before anything, and is settled after once', () => {
    const changes = fc.array(fc.option(fc.nat(40), { nil: hole }), { maxLength: 60 });
    fc.assert(
      fc.property(changes, before => {
        const origins = arrange(before);
        expect(origins.toSorted((a, b) => a - b)).toEqual(before.map((_, place) => place));
        const after = origins.map(origin => before[origin]);
        const last = after.findLastIndex(each => each !== hole);
        expect(after.slice(0, last + 1)).not.toContain(hole);
        expect(arrange(after)).toEqual(after.map((_, place) => place));
      }),
    );
  });
});
