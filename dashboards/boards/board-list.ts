import { apiKeyBoard } from './api-key-board.ts';
import type { Board } from './board.ts';
import { endpointBoard } from './endpoint-board.ts';
import { exporterBoard } from './exporter-board.ts';
import { fleetBoard } from './fleet-board.ts';
import { operationBoard } from './operation-board.ts';
import { projectBoard } from './project-board.ts';
import { usageCostBoard } from './usage-cost-board.ts';

/** Every board that is shipped; a new one is a file of its own and a line here. */
export const boards: readonly Board[] = [
  fleetBoard,
  projectBoard,
  endpointBoard,
  operationBoard,
  usageCostBoard,
  apiKeyBoard,
  exporterBoard,
];
