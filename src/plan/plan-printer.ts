import { Failure } from '../cli/failure.ts';
import type { Io } from '../cli/io.ts';
import type { PlanFlags } from '../cli/plan-option.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { type AccountPlan, planAccount } from './account-plan.ts';
import { toPlanJson } from './plan-json.ts';
import { renderPlan } from './plan-table.ts';
import { findAccountFleets } from './planned-fleet.ts';

/** Prints the plan of every account whose size is known; throws `Failure` when there are others. */
export function printPlans(io: Io, { config }: Pick<LoadedConfig, 'config'>, flags: PlanFlags): void {
  const { found, unknown } = findAccountFleets(config, flags);
  const plans = found.map(({ account, fleet, source }) => ({
    planned: planAccount(account, fleet, config, flags.pageSize),
    source,
  }));
  if (plans.length > 0) io.stdout(flags.format === 'json' ? renderJson(plans) : renderTables(plans));
  if (unknown.length === 0 && plans.length > 0) return;
  const where = `the history ${config.history.file} knows no projects`;
  const what = unknown.length === 0 ? where : `${where} of ${unknown.join(', ')} yet`;
  throw new Failure(`${what}: say how many to plan for with --projects`, plans.length > 0 ? 3 : 2);
}

interface SourcedPlan {
  readonly planned: AccountPlan;
  readonly source: string;
}

function renderTables(plans: readonly SourcedPlan[]): string {
  return plans.map(({ planned, source }) => renderPlan(planned, source)).join('\n');
}

function renderJson(plans: readonly SourcedPlan[]): string {
  const accounts = plans.map(({ planned, source }) => toPlanJson(planned, source));
  return `${JSON.stringify({ accounts }, null, 2)}\n`;
}
