import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { leaseMs } from '../../src/lending/lease.ts';
import { LendingFolder } from '../../src/lending/lending-folder.ts';
import { ShareLender, type ShareState } from '../../src/lending/share-lender.ts';
import { parseNote, renderNote, type ShareNote } from '../../src/lending/share-note.ts';

const idle: ShareState = { needed: 10, sent: 10, allowed: 100, isSlowed: false, isDoubled: false };
const busy: ShareState = { ...idle, needed: 900, sent: 100 };

let turns = 0;
function openLender(index: number, lent = 0, now = 0): ShareLender {
  const makeTurn = () => `turn ${turns++}`;
  const shard = { index, count: 3 };
  return new ShareLender({ shard, share: 100, ceiling: 300, makeTurn }, lent, now);
}

const noteOf = (shard: number, more: Partial<ShareNote> = {}): ShareNote => ({
  ...{ shard, shards: 3, ceiling: 300, turn: `asked ${turns++}`, wanted: 500, lent: 0, loans: [] },
  ...more,
});
/** When a lender that was just started lends. */
const later = 2 * leaseMs;

describe('a shard that needs little', () => {
  test('lends the others equal parts of the rest, and keeps a fifth', () => {
    const asked = [noteOf(1), noteOf(2)];
    const { note, lent } = openLender(0).step(asked, idle, later);
    expect(lent).toBe(80);
    expect(note).toMatchObject({ shard: 0, shards: 3, ceiling: 300, wanted: 0, lent: 80 });
    expect(note.loans).toEqual(asked.map(({ shard, turn }) => ({ to: shard, turn, perMinute: 40 })));
  });

  test.each<[string, Partial<ShareNote>]>([
    ['has enough', { wanted: 0 }],
    ['is one of another number', { shards: 4 }],
    ['knows another ceiling', { ceiling: 600 }],
    ['is itself', { shard: 0 }],
  ])('lends nothing to a shard that %s', (_, more) => {
    expect(openLender(0).step([noteOf(1, more)], idle, later)).toMatchObject({
      lent: 0,
      note: { loans: [] },
    });
  });

  test.each<[string, ShareState, number]>([
    ['it has just begun, and no list is read', idle, leaseMs - 1],
    ['the service found its requests too many', { ...idle, isSlowed: true }, later],
    ['the account is to be left alone', { ...idle, sent: 0, allowed: 0 }, later],
    ['another process speaks for it', { ...idle, isDoubled: true }, later],
    ['it sends all it may', { ...idle, sent: 95 }, later],
    ['it needs its share', { ...idle, needed: 80 }, later],
  ])('lends nothing while %s', (_, state, now) => {
    expect(openLender(0).step([noteOf(1)], state, now).lent).toBe(0);
  });

  test('answers a shard that is gone once, and has its part back when the lease is surely over', () => {
    const lender = openLender(0);
    const gone = noteOf(1);
    const lentAt = (now: number) => lender.step([gone], idle, now).lent;
    expect([lentAt(later), lentAt(later + leaseMs), lentAt(later + 1.1 * leaseMs)]).toEqual([80, 80, 0]);
    expect(lentAt(later + 9 * leaseMs)).toBe(0);
  });

  test('gives one of them no more than is left by what another one still has', () => {
    const lender = openLender(0);
    lender.step([noteOf(1)], idle, later);
    const { note, lent } = lender.step([noteOf(1), noteOf(2)], idle, later + 2000);
    expect(lent).toBe(80);
    expect(note.loans.map(({ to, perMinute }) => [to, perMinute])).toEqual([[1, 40]]);
  });

  test('takes for lent what it said before it was started again, or the most that can be', () => {
    expect(openLender(0, 30, 0).step([], idle, 1.1 * leaseMs - 1).lent).toBe(30);
    expect(openLender(0, 30, 0).step([], idle, 1.1 * leaseMs).lent).toBe(0);
    expect(openLender(0, 1e9, 0).step([], idle, 0).lent).toBe(100);
    const options = { shard: { index: 0, count: 3 }, share: 100, ceiling: 300, makeTurn: () => 'turn' };
    expect(new ShareLender(options, undefined, 0).step([], idle, 0).lent).toBe(80);
  });
});

describe('a shard that needs more', () => {
  test('borrows what answers its own turns, for a lease from the beginning of the eldest of them', () => {
    const lender = openLender(1);
    const first = lender.step([], busy, 1000).note.turn;
    const second = lender.step([], busy, 3000).note.turn;
    const loan = (turn: string, perMinute: number) => [{ to: 1, turn, perMinute }];
    const notes = [noteOf(0, { loans: loan(first, 40) }), noteOf(2, { loans: loan(second, 30) })];
    expect(lender.step(notes, busy, 5000)).toMatchObject({ borrowed: 70, borrowedUntil: 1000 + leaseMs });
    expect(lender.step(notes, busy, 1000 + leaseMs)).toMatchObject({
      ...{ borrowed: 30, borrowedUntil: 3000 + leaseMs },
    });
    expect(lender.step(notes, busy, 3000 + leaseMs).borrowed).toBe(0);
  });

  test('borrows nothing of a turn of another run, to another shard, or from before its host slept', () => {
    const lender = openLender(1);
    const { turn } = lender.step([], busy, 0).note;
    const borrowed = (more: object) => {
      const notes = [noteOf(0, { loans: [{ to: 1, turn, perMinute: 40, ...more }] })];
      return lender.step(notes, busy, 1000).borrowed;
    };
    expect([borrowed({}), borrowed({ turn: 'of yesterday' }), borrowed({ to: 2 })]).toEqual([40, 0, 0]);
    expect(borrowed({ perMinute: 1e9 })).toBe(200);
    lender.forgetTurns();
    expect(borrowed({})).toBe(0);
  });

  test('says how much it lacks', () => {
    const wanted = (state: Partial<ShareState>) =>
      openLender(1).step([], { ...busy, ...state }, later).note.wanted;
    expect(wanted({})).toBe(1025);
    expect(wanted({ needed: 0, sent: 95 })).toBe(100);
    expect(wanted({ needed: 0, sent: 50 })).toBe(0);
    expect(wanted({ isSlowed: true })).toBe(0);
    expect(wanted({ allowed: 0 })).toBe(0);
  });
});

describe('the folder', () => {
  function openFolder() {
    const path = mkdtempSync(join(tmpdir(), 'dbpm-lending-'));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    const of = (index: number) => new LendingFolder(path, '../a b', { index, count: 3 });
    return { path, of };
  }

  test('has a note of each shard, which the others read', async () => {
    const { of } = openFolder();
    const notes = [noteOf(0), noteOf(1), noteOf(2)];
    for (const note of notes) await of(note.shard).write(note);
    expect(await of(1).readOwn()).toEqual(notes[1]);
    expect(await of(1).readOthers()).toEqual([notes[0], notes[2]]);
  });

  test.each(['', '{', 'null', '{"shard":1}', '[]', 'x'.repeat(200_000)])(
    'is read as if a note were not there that says %s',
    async text => {
      const { path, of } = openFolder();
      writeFileSync(join(path, '..%2Fa%20b.1-of-3.json'), text);
      expect(await of(0).readOthers()).toEqual([]);
    },
  );

  test('is not waited for where a pipe is in the place of a note, and not left where a link is', async () => {
    const { path, of } = openFolder();
    execFileSync('mkfifo', [join(path, '..%2Fa%20b.1-of-3.json')]);
    expect(await of(0).readOthers()).toEqual([]);
    const elsewhere = join(path, 'elsewhere');
    symlinkSync(elsewhere, join(path, '..%2Fa%20b.0-of-3.json.unfinished'));
    await expect(of(0).write(noteOf(0))).rejects.toThrow('ELOOP');
    expect(existsSync(elsewhere)).toBe(false);
  });

  test('is told by an error once it is gone', async () => {
    const { path, of } = openFolder();
    rmSync(path, { recursive: true });
    expect(await of(0).readOthers()).toEqual([]);
    await expect(of(0).write(noteOf(0))).rejects.toThrow('ENOENT');
  });
});

test('a note is one of numbers that can be', () => {
  const note = noteOf(1, { loans: [{ to: 2, turn: 'x', perMinute: 3 }] });
  expect(parseNote(renderNote(note))).toEqual(note);
  for (const wrong of [
    { lent: -1 },
    { wanted: null },
    { shard: 1.5 },
    { turn: '' },
    { loans: [{ to: 1 }] },
  ]) {
    expect(parseNote(JSON.stringify({ ...note, ...wrong }))).toBeUndefined();
  }
});
