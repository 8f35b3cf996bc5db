import { fleetOf5000, minuteMs, type StrategyName, simulate } from '../../poll/freshness-simulation.ts';
import { serveTasks } from '../process/task.ts';

interface Simulation {
  readonly name: StrategyName;
  readonly projects: number;
  readonly lagMinutes: number;
}

const tasks = {
  simulate: ({ name, projects, lagMinutes }: Simulation) =>
    simulate(name, { ...fleetOf5000, projects, lagMs: lagMinutes * minuteMs }),
};
export type SimulationTasks = typeof tasks;

serveTasks(tasks);
