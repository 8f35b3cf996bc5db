import { isIgnoredFor } from '../../cost/finding/finding-filter.ts';
import { ledgerFinding } from '../../cost/finding/ledger-finding.ts';
import type { ProjectFinding } from '../../resources/finding.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { ReportSubject } from '../content.ts';
import type { RowScope } from './scope.ts';

/** A project whose ledgers disagree, with the row it belongs to. */
interface LedgerDoubt {
  readonly scope: RowScope;
  readonly project: UsageProject;
  readonly finding: ProjectFinding;
}

/** Finds projects of which the meter of the service and its counters tell other compute, those furthest apart first. */
export function findLedgerDoubts({ history, request, rule }: ReportSubject): readonly LedgerDoubt[] {
  const { findings, ignoredFindings: ignored } = request.config;
  const { untilAt } = request.span;
  const places = new Map(
    history.usage.projects.map(project => [`${project.account} ${project.project_id}`, project]),
  );
  return history.accounts.flatMap(account => {
    const { drifting = [], fromAt = 0 } = history.ledgerComparisons.read(account, untilAt) ?? {};
    return drifting
      .toSorted((a, b) => Math.abs(b.driftComputeSeconds) - Math.abs(a.driftComputeSeconds))
      .flatMap(drift => {
        const project = places.get(`${account} ${drift.project_id}`);
        if (project === undefined) return [];
        if (isIgnoredFor({ ...findings, ignored }, project, untilAt)('ledgers_apart')) return [];
        const finding = ledgerFinding(project, drift, fromAt);
        return [{ scope: rule.scopeOf(project, ''), project, finding }];
      });
  });
}
