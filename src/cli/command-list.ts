import type { Command } from 'commander';
import { backupCommand } from './backup.ts';
import { checkCommand } from './check.ts';
import { checkConfigCommand } from './check-config.ts';
import { checkHistoryCommand } from './check-history.ts';
import { closeCommand } from './close.ts';
import { completionCommand } from './completion.ts';
import { consoleCommand } from './console.ts';
import { dashboardsCommand } from './dashboards.ts';
import { demoCommand } from './demo.ts';
import { exportCommand } from './export.ts';
import type { Io } from './io.ts';
import { planCommand } from './plan.ts';
import { reconcileCommand } from './reconcile.ts';
import { reportCommand } from './report.ts';
import { rulesCommand } from './rules.ts';
import { serveCommand } from './serve.ts';
import { simulateCommand } from './simulate.ts';

/** One line a command; the first is also the one that runs when none is named. */
export const makeCommands = (io: Io): Command[] => [
  serveCommand(io),
  demoCommand(io),
  simulateCommand(io),
  checkConfigCommand(io),
  checkCommand(io),
  checkHistoryCommand(io),
  consoleCommand(io),
  planCommand(io),
  exportCommand(io),
  reportCommand(io),
  reconcileCommand(io),
  closeCommand(io),
  backupCommand(io),
  rulesCommand(io),
  dashboardsCommand(io),
  completionCommand(),
];
