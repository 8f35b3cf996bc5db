import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { examineHistory } from '../../src/history/soundness/examination.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import { readAsDaemon } from '../support/daemon-reading.ts';
import { damagePage, pageBytes } from '../support/damaged-history.ts';
import type { HistoryFolder } from '../support/history-folder.ts';
import {
  findUntold,
  keepUp,
  putInPlace,
  readRows,
  SalvageStage,
  salvageIn,
} from '../support/salvage-stage.ts';
import { readCounters } from '../support/stored-counter.ts';

const stage = new SalvageStage({ now: Date.parse('2026-11-20T00:00:00Z') / 1000, seed: 3, projects: 8 }, 4);
const { life, pages } = stage;
const { rows, truth } = inFolder(({ file }) => ({ rows: readRows(file), truth: readCounters(file) }));
// Time passes before anybody reads the account again, and then a history that lost nothing shows what is true.
life.miss(3600);
const goneOn = inFolder(goOn);

function inFolder<Result>(work: (folder: HistoryFolder) => Result): Result {
  using folder = stage.open();
  return work(folder);
}

function goOn(folder: HistoryFolder) {
  const history = folder.open();
  readAsDaemon(history, life.account);
  keepUp(history, life.now);
  folder.close(history);
  return readCounters(folder.file);
}

/** Saves what is left, looks whether it is sound and true, and goes on with it. @returns whether anything is left. */
function expectTrue(folder: HistoryFolder, what: string): boolean {
  const salvage = salvageIn(folder);
  if (!salvage.isAny) return false;
  expect(examineHistory(salvage.file).flaws, what).toEqual([]);
  expect(findUntold(truth, salvage.file, salvage), what).toEqual([]);
  for (const { table, savedRows, droppedRows, lostPages } of salvage.tables) {
    if (table === 'set_aside') continue;
    const all = rows[table]?.length ?? 0;
    expect(savedRows, `${what}: ${table}`).toBeLessThanOrEqual(all);
    if (lostPages === 0) expect(savedRows + droppedRows, `${what}: ${table}`).toBe(all);
  }
  putInPlace(folder, salvage.file);
  goOn(folder);
  expect(findUntold(goneOn, folder.file, salvage), what).toEqual([]);
  expect(examineHistory(folder.file).flaws, what).toEqual([]);
  return true;
}

const kinds = new Map(pages.map(page => [`${page.name} ${page.isLeaf ? 'leaf' : 'interior'}`, page]));
test.each([...kinds.keys()])('with one page lost counters are true, or named: %s', kind => {
  const page = kinds.get(kind);
  using folder = stage.open();
  if (page !== undefined) damagePage(folder.file, page);
  expect(expectTrue(folder, kind)).toBe(true);
});

/** An empty page in the place of a table's only one cannot be told from an empty table. */
const filled = pages.filter(page => page.rows > 0);

test('with any pages lost or mixed up it never fails, and no counter is more than the truth', () => {
  let saved = 0;
  for (let seed = 0; seed < 25; seed += 1) {
    const random = createRandom(seed, 'damage');
    const bytes = Buffer.from(stage.whole);
    const hit = Array.from({ length: random.integer(1, 6) }, () => {
      const page = pages[random.integer(0, pages.length - 1)];
      const at = ((page?.number ?? 1) - 1) * pageBytes;
      const other = filled[random.integer(0, filled.length - 1)];
      const kind = random.integer(0, 2);
      if (kind === 0) bytes.fill(0, at, at + pageBytes);
      if (kind === 1)
        for (let index = 0; index < pageBytes; index += 1) bytes[at + index] = random.integer(0, 255);
      if (kind === 2)
        stage.whole.copy(bytes, at, ((other?.number ?? 1) - 1) * pageBytes, (other?.number ?? 1) * pageBytes);
      return `${page?.name} ${page?.number} ${['zeros', 'noise', `is ${other?.name} ${other?.number}`][kind]}`;
    });
    using folder = stage.open();
    writeFileSync(folder.file, bytes);
    const what = `seed ${seed}: ${hit.join(', ')}`;
    if (expectTrue(folder, what)) saved += 1;
  }
  // Without the list of tables nobody knows which page is whose.
  expect(saved).toBeGreaterThan(20);
}, 120_000);
