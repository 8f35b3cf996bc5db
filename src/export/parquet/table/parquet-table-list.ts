import { costLines } from './cost-line.ts';
import { endpointDays, endpointStates } from './endpoint-day.ts';
import { keyUses } from './key-use.ts';
import { operations } from './operation.ts';
import type { ParquetTable } from './parquet-table.ts';
import { projects } from './project.ts';
import { usageHours } from './usage-hour.ts';

/** All tables that are written. */
export const parquetTables: readonly ParquetTable[] = [
  usageHours,
  costLines,
  operations,
  endpointStates,
  endpointDays,
  keyUses,
  projects,
];
