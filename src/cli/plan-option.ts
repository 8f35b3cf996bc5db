import { type Command, InvalidArgumentError, Option } from 'commander';
import { type PlanFormat, type PlanRequest, planFormats, usualPageSize } from '../check/plan/request.ts';
import { mostShards } from '../resources/shard.ts';
import { numberOption } from './number-option.ts';

/** The values of the flags of `plan`. */
export interface PlanFlags extends PlanRequest {
  readonly format: PlanFormat;
}

/** Adds the flags of `plan`, whose values are `PlanFlags`. */
export function addPlanOptions(command: Command): Command {
  const most = 1_000_000;
  return command
    .addOption(
      numberOption('--projects <n>', 'projects of each account (default: as many as the history knows)', {
        least: 0,
        most,
      }),
    )
    .option(
      '--endpoints-per-project <n>',
      'endpoints a project has on average (default: as the history knows, else 1)',
      readAverage,
    )
    .option(
      '--busy <share>',
      'projects with something running (default: as the history knows, else 5%)',
      readShare,
    )
    .addOption(
      numberOption('--requests-per-minute <n>', 'a budget to try in place of the configured one', {
        least: 1,
        most,
      }),
    )
    .addOption(
      numberOption('--page-size <n>', 'projects the service puts on a page of their list', {
        least: 1,
        most,
        byDefault: usualPageSize,
      }),
    )
    .addOption(
      numberOption('--shards <n>', 'exporters that share each account (default: as configured, else 1)', {
        least: 1,
        most: mostShards,
      }),
    )
    .addOption(new Option('--format <format>', 'how it is printed').choices(planFormats).default('table'));
}

function readAverage(text: string): number {
  const value = /^\d{1,4}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0) return value;
  throw new InvalidArgumentError('write a number such as 1 or 1.5');
}

function readShare(text: string): number {
  const [, percent = ''] = /^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(text) ?? [];
  const share = percent === '' ? Number.NaN : Number(percent) / 100;
  if (share <= 1) return share;
  throw new InvalidArgumentError('write a share of the projects from 0% to 100%, such as 5%');
}
