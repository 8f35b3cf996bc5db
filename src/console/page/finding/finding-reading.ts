import type { MadeReport } from '../../../report/maker.ts';
import { findingKinds, projectFindingKinds } from '../../../resources/finding.ts';
import { refuseOther } from '../../offered-choice.ts';
import type { ConsoleSources } from '../../page.ts';
import { NotWhole } from '../../report-cache/report-set.ts';
import { writeReport } from '../../report-field.ts';
import { readRows } from '../../report-row.ts';
import { sumSavings } from '../../written-saving.ts';
import {
  type DoneFindings,
  type FindingAnswer,
  type FindingQuery,
  type ShownFinding,
  writeFinding,
} from './finding-answer.ts';
import { chooseGroups, matchGroups } from './finding-group.ts';

/** The most done findings that are shown beside open ones. */
const mostDoneBeside = 10;

/** Findings as the report has them, as far as a filter leaves them. */
export async function readFindings(sources: ConsoleSources, query: FindingQuery): Promise<FindingAnswer> {
  const { config, reports } = sources;
  const accounts = config.accounts.map(({ name }) => name);
  refuseOther('account', query.account, accounts);
  const open = { kind: 'findings', options: {} } as const;
  const followed = { kind: 'findings', options: { done: true } } as const;
  const set = await reports.askTogether({ reports: query.show === 'done' ? [followed] : [open, followed] });
  const [report, doneReport] = set.reports ?? [];
  if (report === undefined) throw new NotWhole(set.accounts);
  const all = writeAll(report);
  const kinds = [...new Set([...findingKinds, ...projectFindingKinds, ...all.map(({ kind }) => kind)])];
  refuseOther('kind', query.kind, kinds);
  const groups = chooseGroups(sources, all, query.group);
  const found = filter(sources, all, query);
  const from = placeAfter(found, query.cursor);
  const page = found.slice(from, from + query.limit);
  const last = page.at(-1);
  return {
    report: writeReport(report, 'show findings that are done'),
    has_prices: config.pricing !== undefined,
    show: query.show,
    ...{ accounts, kinds, groups, count: found.length },
    ...sumSavings(found),
    findings: [...page],
    done: doneReport === undefined ? null : describeDone(sources, query, doneReport),
    next_cursor: last !== undefined && from + page.length < found.length ? keyOf(last) : null,
  };
}

/** Findings that are done; null where none is. */
function describeDone(sources: ConsoleSources, query: FindingQuery, report: MadeReport): DoneFindings | null {
  const found = filter(sources, writeAll(report), query);
  if (found.length === 0) return null;
  const { compute_hours_per_month, cost_per_month } = sumSavings(found);
  return {
    ...{ count: found.length, compute_hours_per_month, cost_per_month },
    currency: report.currency ?? null,
    findings: found.slice(0, mostDoneBeside),
  };
}

/** The rows of reports, which are shown to many. */
const written = new WeakMap<MadeReport, readonly ShownFinding[]>();

function writeAll(report: MadeReport): readonly ShownFinding[] {
  const known = written.get(report) ?? readRows<'findings'>(report).map(writeFinding);
  written.set(report, known);
  return known;
}

function filter(
  sources: ConsoleSources,
  all: readonly ShownFinding[],
  { account, kind, group, project }: FindingQuery,
): readonly ShownFinding[] {
  const looked = project.toLowerCase();
  const names = ({ project_name, project_id }: ShownFinding) => [project_name ?? '', project_id];
  return all
    .filter(each => account === '' || each.account === account)
    .filter(each => kind === '' || each.kind === kind)
    .filter(each => looked === '' || names(each).some(name => name.toLowerCase().includes(looked)))
    .filter(matchGroups(sources, all, group));
}

/** Tells a finding from all others, whatever comes before it. */
function keyOf({ account, project_id, endpoint_id, kind, done_at }: ShownFinding): string {
  const key = JSON.stringify([account, project_id, endpoint_id, kind, done_at]);
  return Buffer.from(key).toString('base64url');
}

/** The place after the finding that a cursor names; one that is gone meanwhile leads to the beginning. */
function placeAfter(found: readonly ShownFinding[], cursor: string): number {
  return cursor === '' ? 0 : found.findIndex(each => keyOf(each) === cursor) + 1;
}
