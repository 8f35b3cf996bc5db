/** Reads RFC 4180 strictly: every line must end in CRLF and have as many cells as the first. */
export function readCsv(text: string): {
  readonly header: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
} {
  const [header = [], ...lines] = readLines(text);
  const rows = lines.map(cells => {
    if (cells.length !== header.length) throw new Error(`${cells.length} cells instead of ${header.length}`);
    return Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
  });
  return { header, rows };
}

function readLines(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (at < text.length) {
    cell.lastIndex = at;
    const found = cell.exec(text);
    if (found === null)
      throw new Error(`no cell at character ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    const [whole, quoted, plain = '', end] = found;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (end === ',') continue;
    lines.push(cells);
    cells = [];
  }
  return lines;
}
