import { isMap, isScalar, type Node, parseDocument } from 'yaml';

const mark = '--';

/** A value of a chart that a user may set, from the comment that begins with `--` above it, as helm-docs reads it. */
interface ChartValue {
  readonly key: string;
  readonly usual: unknown;
  readonly help: string;
}

/** Every documented value of a `values.yaml`, in its order. */
export function readChartValues(source: string): ChartValue[] {
  const { contents } = parseDocument(source);
  return listValues(contents, '');
}

function listValues(node: Node | null, prefix: string): ChartValue[] {
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }, index) => {
    if (!isScalar(key)) return [];
    // A comment ahead of the first key belongs to its table.
    const comment = (index === 0 ? node.commentBefore : undefined) ?? key.commentBefore ?? '';
    const help = readHelp(comment);
    const path = `${prefix}${key.value}`;
    if (help === undefined) return listValues(value as Node | null, `${path}.`);
    return [{ key: path, usual: (value as Node | null)?.toJSON() ?? null, help }];
  });
}

function readHelp(comment: string): string | undefined {
  const lines = comment.split('\n').map(line => line.trim());
  return lines
    .find(line => line.startsWith(mark))
    ?.slice(mark.length)
    .trim();
}

export function renderChartValueTable(source: string): string {
  const rows = readChartValues(source).map(
    ({ key, usual, help }) => `| \`${key}\` | \`${JSON.stringify(usual)}\` | ${help} |`,
  );
  return ['| value | default | what it is |', '|---|---|---|', ...rows, ''].join('\n');
}
