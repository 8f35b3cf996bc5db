import { readFileSync } from 'node:fs';
import { renderSettingTable } from '../../src/config/setting-table.ts';
import { renderMetricTable } from '../../src/metrics/metric-table.ts';

const readmePath = new URL('../../README.md', import.meta.url).pathname;

/** Parts of the README that follow from declarations, by the name their markers carry. */
const sections: Readonly<Record<string, () => string>> = {
  metrics: renderMetricTable,
  settings: renderSettingTable,
};

export interface GeneratedFile {
  readonly path: string;
  readonly current: string;
  readonly wanted: string;
}

/** Every committed file with generated content, as it is and as it should be. */
export function readGeneratedFiles(): readonly GeneratedFile[] {
  const current = readFileSync(readmePath, 'utf8');
  const wanted = Object.entries(sections).reduce(
    (text, [name, render]) => replaceSection(text, name, render()),
    current,
  );
  return [{ path: readmePath, current, wanted }];
}

function replaceSection(text: string, name: string, content: string): string {
  const begin = `<!-- generated: ${name} -->\n`;
  const end = `<!-- end: ${name} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`README.md has no section between ${begin.trim()} and ${end}`);
  return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`;
}
