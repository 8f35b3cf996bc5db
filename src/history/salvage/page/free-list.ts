import { DamagedPage } from './damaged-page.ts';
import type { PageFile } from './page-file.ts';

/**
 * The pages that are free and hold what was deleted.
 *
 * @returns undefined where that cannot be known.
 */
export function readFreePages(file: PageFile): ReadonlySet<number> | undefined {
  const { header } = file;
  if (header === undefined) return undefined;
  const free = new Set<number>();
  try {
    for (let trunk = header.firstFreePage; trunk !== 0; ) {
      if (free.has(trunk)) return undefined;
      free.add(trunk);
      const bytes = file.read(trunk);
      const count = bytes.readUInt32BE(4);
      if (count > file.pageSize / 4 - 2) return undefined;
      for (let index = 0; index < count; index += 1) free.add(bytes.readUInt32BE(8 + 4 * index));
      trunk = bytes.readUInt32BE(0);
    }
  } catch (error) {
    if (error instanceof DamagedPage) return undefined;
    throw error;
  }
  return free.size === header.freePages ? free : undefined;
}
