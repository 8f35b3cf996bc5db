import { join } from 'node:path';

/** The path of a file below the folder of an export, as Hive names partitions: `usage_hours/account=main/day=2026-10-05/part.parquet`. */
export function partitionPath(table: string, account: string, day: string): string {
  return join(table, `account=${encodeName(account)}`, `day=${day}`, 'part.parquet');
}

/** Any text as the name of a folder: all but letters, digits, - and _ is a percent sign and two digits for each byte. */
function encodeName(name: string): string {
  return [...Buffer.from(name)]
    .map(byte => {
      const letter = String.fromCharCode(byte);
      return /[\w-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
