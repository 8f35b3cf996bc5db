import { dirname, join } from 'node:path';
import { openConsole } from '../../support/open-console.ts';
import { runReport } from '../../support/report-run.ts';
import type { RandomBook } from './random-book.ts';
import { accounts, type TrueFleet, type TrueProject } from './true-fleet.ts';

/** By the patterns that names or ids of projects fit, or by account. */
export const groups = {
  team: { web: { projects: ['*s*'] }, data: { projects: ['*t*'] } },
  stage: { side: { accounts: ['side'] } },
};

export type Grouping = keyof typeof groups;

/** The group of a project, by the simplest reading of the configuration above. */
export function groupOf(grouping: Grouping, { id, name, account }: TrueProject): string {
  if (grouping === 'stage') return account === 'side' ? 'side' : 'ungrouped';
  const has = (letter: string) => id.includes(letter) || name.includes(letter);
  if (has('s')) return 'web';
  return has('t') ? 'data' : 'ungrouped';
}

/** What `report --format json` writes. */
export interface WrittenReport {
  readonly period: { readonly from: string; readonly until: string };
  readonly rows: readonly Readonly<Record<string, string | number | boolean | null>>[];
  readonly totals: Readonly<Record<string, string | number | null>> | null;
}

/** A console over a fleet with a price book, and the command `report` over the same history. */
export async function openStage(fleet: TrueFleet, { book, isByHour }: RandomBook, timezone: string) {
  const yaml = JSON.stringify({ pricing: book, groups, usage: { timezone } });
  const shown = await openConsole({ file: fleet.file, now: fleet.now, yaml, accounts });
  const config = join(dirname(fleet.file), 'console.yaml');
  async function report(words: string): Promise<WrittenReport> {
    const asked = { file: fleet.file, now: fleet.now, configFile: config };
    const printed = await runReport(`${words} --format json`, asked);
    if (printed.stdout === '') throw new Error(`report ${words}: ${printed.stderr}`);
    return JSON.parse(printed.stdout);
  }
  async function json(path: string) {
    const answer = await shown.json(path);
    if ('detail' in answer) throw new Error(`${path}: ${answer.detail}`);
    return answer;
  }
  return { fleet, book, isByHour, report, json, close: shown.close };
}
export type Stage = Awaited<ReturnType<typeof openStage>>;
