import type { SecureContextOptions } from 'node:tls';
import { lastingReasons } from '../../../dashboards/rules/collector-alert.ts';
import { type Collector, collectors } from '../../../src/resources/collector.ts';
import type { ImplausibleField } from '../../../src/resources/reading.ts';
import type { Reason } from '../../../src/resources/reason.ts';
import type { SimulatedWorld } from '../simulated-world.ts';
import type { Gateway } from './gateway.ts';

/** An account of the daemon that a fault is tried on: its service, and what stands between. */
export interface FaultStage {
  readonly account: string;
  readonly world: SimulatedWorld;
  readonly gateway: Gateway;
  /** A certificate of the service with its key: `valid` or one it should not show. */
  identity(name: string): SecureContextOptions;
  /** Has the name of the service lead nowhere, or to it again. */
  forgetName(forgotten: boolean): void;
  /** Puts another key where the daemon reads it. */
  writeKey(key: string): void;
}

/** A row of the table of faults about what a service, or a network before it, does to one account. */
export interface ApiFault {
  readonly fault: string;
  readonly group: 'connection' | 'certificate' | 'status' | 'answer' | 'list' | 'value';
  /** How the daemon reaches the service: TLS, there also by a name that has to be looked up; by plain HTTP unless told. */
  readonly by?: 'TLS' | 'name';
  inflict(stage: FaultStage): Promise<void> | void;
  /** What ends it, where that is not that the gateway behaves again. */
  heal?(stage: FaultStage): Promise<void> | void;
  /** Collectors whose readings fail; all unless told. */
  readonly fails?: readonly Collector[];
  /** The reason they fail for; absent where nothing is counted. */
  readonly reason?: Reason;
  /** Collectors that count unusable items though they go on. */
  readonly counts?: readonly Collector[];
  /** Fields whose values are held back, as they cannot be true. */
  readonly holds?: readonly ImplausibleField[];
  /** The first thing the log says of it; absent where it is no news. */
  readonly log?: string;
  /** Alerts that fire when it lasts, where they do not follow from what fails. */
  readonly alerts?: readonly string[];
}

/** Samples that are not as on any good day, while it lasts: what is 0 though it should be 1, and which errors grow. */
export function shownBy({
  fails = collectors,
  reason,
  counts = [],
  holds = [],
}: ApiFault): readonly string[] {
  const isList = fails.some(collector => collector === 'projects' || collector === 'api_keys');
  const failing = fails.map(collector => `dbpm_collector_success{collector="${collector}"} 0`);
  const growing = [...fails, ...counts].map(
    collector => `dbpm_collector_errors_total{collector="${collector}",reason="${reason}"} grows`,
  );
  return [
    ...(isList ? ['dbpm_up 0'] : []),
    ...(isList && reason === 'unauthorized' ? ['dbpm_auth_ok 0'] : []),
    ...failing,
    ...(reason === undefined ? [] : growing),
    ...holds.map(field => `dbpm_account_implausible_values_total{field="${field}"} grows`),
  ].toSorted();
}

/** Alerts that fire when it lasts. */
export function raisedBy({ alerts, fails = collectors, reason, holds = [] }: ApiFault): readonly string[] {
  if (alerts !== undefined) return alerts.toSorted();
  const isList = fails.some(collector => collector === 'projects' || collector === 'api_keys');
  return [
    ...(isList && reason !== 'unauthorized' ? ['DbpmAccountFailing'] : []),
    ...(!isList && reason !== undefined && lastingReasons.includes(reason) ? ['DbpmCollectorFailing'] : []),
    ...(fails.length > 0 ? ['DbpmDataStale'] : []),
    ...(isList && reason === 'unauthorized' ? ['DbpmKeyRejected'] : []),
    ...(!isList && fails.length > 0 ? ['DbpmProjectUnreadable'] : []),
    ...(reason === 'rate_limited' ? ['DbpmRateLimited'] : []),
    ...(holds.length > 0 ? ['DbpmValuesImplausible'] : []),
  ].toSorted();
}
