import type { ComputeLedger } from '../../resources/price-book.ts';
import type { UsageLedger } from '../../resources/usage/ledger.ts';
import { clip, type Period } from '../calendar/calendar.ts';

/**
 * The ledger that compute is charged by: the one that a price book names, or else the meter of the service as far as it is
 * complete, and before and after that what the service reported.
 */
export function chooseLedger(known: UsageLedger, choice: ComputeLedger | undefined): UsageLedger {
  const ledger = withOthers(known);
  if (choice === 'reconstructed') {
    return {
      ...keepFacts(ledger),
      usedUntil: (project_ref, at) => ledger.reconstructedUntil?.(project_ref, at) ?? 0,
    };
  }
  const { metered } = ledger;
  if (choice === 'metered' || (choice === undefined && metered !== undefined))
    return meteredLedger(ledger, choice === undefined);
  return ledger;
}

/** A ledger with the projects that nothing but the meter tells of. */
function withOthers(ledger: UsageLedger): UsageLedger {
  const others = ledger.metered?.others ?? [];
  if (others.length === 0) return ledger;
  return {
    ...keepFacts(ledger),
    projects: [...ledger.projects, ...others],
    usedUntil: (project_ref, at) => ledger.usedUntil(project_ref, at),
  };
}

/** @param isCompleted whether the time that is not metered is that of the reported ledger: otherwise nothing is known of it. */
function meteredLedger(ledger: UsageLedger, isCompleted: boolean): UsageLedger {
  const { metered } = ledger;
  const accounts = new Map(ledger.projects.map(({ project_ref, account }) => [project_ref, account]));
  const spans = new Map<string, Period | undefined>();
  const spanOf = (account: string) => {
    if (!spans.has(account)) spans.set(account, metered?.knownSpan(account));
    return spans.get(account);
  };
  const meteredCuMs = (project_ref: number, at: number) =>
    1000 * (metered?.meteredUntil(project_ref, 'compute_unit_seconds', at) ?? 0);
  const reported: UsageLedger['usedUntil'] = (project_ref, at) =>
    isCompleted ? ledger.usedUntil(project_ref, at) : 0;
  return {
    ...keepFacts(ledger),
    knownFrom: account => {
      const [own, meteredFromAt] = [ledger.knownFrom(account), spanOf(account)?.fromAt];
      return own === undefined ? meteredFromAt : Math.min(own, meteredFromAt ?? own);
    },
    usedUntil: (project_ref, at) => {
      const span = spanOf(accounts.get(project_ref) ?? '');
      if (span === undefined || at <= span.fromAt) return reported(project_ref, at);
      const { untilAt } = span;
      const counted = meteredCuMs(project_ref, Math.min(at, untilAt)) - meteredCuMs(project_ref, span.fromAt);
      const later = at > untilAt ? reported(project_ref, at) - reported(project_ref, untilAt) : 0;
      return reported(project_ref, span.fromAt) + counted + later;
    },
  };
}

/** All that a ledger knows besides how much was used when. */
function keepFacts(ledger: UsageLedger): Omit<UsageLedger, 'usedUntil'> {
  const { projects, metered } = ledger;
  return {
    projects,
    ...(ledger.endpointLives && { endpointLives: () => ledger.endpointLives?.() ?? [] }),
    ...(ledger.reconstructedUntil && {
      reconstructedUntil: (project_ref, at) => ledger.reconstructedUntil?.(project_ref, at) ?? 0,
    }),
    ...(metered && { metered }),
    knownFrom: account => ledger.knownFrom(account),
    knownUntil: account => ledger.knownUntil(account),
  };
}

/** Whether compute of an account is by the meter, in all of a stretch of time. */
export function isByMeter(
  { metered }: Pick<UsageLedger, 'metered'>,
  choice: ComputeLedger | undefined,
  account: string,
  { fromAt, untilAt }: Period,
): boolean {
  if (choice !== undefined && choice !== 'metered') return false;
  const span = metered?.knownSpan(account);
  return span !== undefined && span.fromAt <= fromAt && untilAt <= span.untilAt;
}

/** A part of a period, and the ledger that compute in it is charged by; undefined where nothing is known of it. */
export interface LedgerPart extends Period {
  readonly ledger: ComputeLedger | undefined;
}

/** Which ledger the compute of an account is charged by, in order of time. */
export function ledgerParts(
  { metered }: Pick<UsageLedger, 'metered'>,
  choice: ComputeLedger | undefined,
  account: string,
  period: Period,
): LedgerPart[] {
  if (choice === 'reported' || choice === 'reconstructed') return [{ ...period, ledger: choice }];
  const other = choice === 'metered' ? undefined : 'reported';
  const span = metered?.knownSpan(account);
  if (span === undefined) return [{ ...period, ledger: other }];
  const parts: readonly LedgerPart[] = [
    { fromAt: period.fromAt, untilAt: Math.min(span.fromAt, period.untilAt), ledger: other },
    { ...clip(span, period), ledger: 'metered' },
    { fromAt: Math.max(span.untilAt, period.fromAt), untilAt: period.untilAt, ledger: other },
  ];
  return parts.filter(({ fromAt, untilAt }) => fromAt < untilAt);
}
