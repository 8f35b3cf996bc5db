import type { AwakeSession, KnownProject } from '../../../history/browse/browsed-project.ts';
import { secondMs } from '../../../resources/duration.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-field.ts';
import type { ConsoleSources } from '../../page.ts';
import { readRows } from '../../report-row.ts';
import { savingOf, sumSavings } from '../../saving-field.ts';
import { writeFinding } from '../finding/finding-answer.ts';
import type { FindingsAnswer, SessionAnswer } from './project-schema.ts';

/** Times awake that are shown with a finding. */
const mostSessions = 10;

/** The findings of a project: its rows of `report findings`. */
export async function readProjectFindings(
  { reports, history }: ConsoleSources,
  { account, project_id, project_ref }: KnownProject,
): Promise<FindingsAnswer> {
  const set = await reports.askSoon({ reports: [{ kind: 'findings', options: {} }], withUsage: true });
  const [report] = set?.reports ?? [];
  const rows = report === undefined ? [] : readRows<'findings'>(report);
  const own = rows.filter(row => row.account === account && row.project_id === project_id);
  const sessionsOf = (endpoint_id: string) =>
    history.look(({ sessions }) => sessions.newest(project_ref, endpoint_id, mostSessions)) ?? [];
  const known = set?.usage?.accounts.find(each => each.account === account)?.findings ?? [];
  const advisedOf = (kind: string, endpoint_id: string) =>
    known.find(
      each => each.kind === kind && each.project_id === project_id && each.endpoint_id === endpoint_id,
    )?.advisedDelayMs;
  return {
    currency: report?.currency ?? null,
    as_of: report ? writeInstant(report.generatedAt) : null,
    pending: set === undefined,
    ...sumSavings(own.map(savingOf)),
    findings: own.map(writeFinding).map(({ endpoint_id, up_to, evidence, advice, ...each }) => ({
      ...{ ...each, endpoint_id: endpoint_id ?? '', up_to: up_to ?? false },
      ...{ evidence: evidence ?? '', advice: advice ?? '' },
      advised_delay_seconds: inSeconds(advisedOf(each.kind, endpoint_id ?? '')),
      sessions: sessionsOf(endpoint_id ?? '').map(writeSession),
    })),
  };
}

function inSeconds(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms / secondMs);
}

function writeSession({ from_at, until_at, last_used_at, checked_at }: AwakeSession): SessionAnswer {
  return {
    from: writeInstant(from_at),
    until: writeMaybeInstant(until_at),
    last_used_at: writeMaybeInstant(last_used_at),
    checked_at: writeMaybeInstant(checked_at),
  };
}
