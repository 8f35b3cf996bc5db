import { fleetOf5000, minuteMs, type StrategyName, simulate } from '../../scheduler/freshness-simulation.ts';
import { serveTasks } from '../process/task.ts';

interface Simulation {
  readonly name: StrategyName;
  readonly projects: number;
  readonly lagMinutes: number;
  readonly minutes?: { readonly all: number; readonly warmUp: number } | undefined;
}

const tasks = {
  simulate: ({ name, projects, lagMinutes, minutes }: Simulation) =>
    simulate(name, {
      ...fleetOf5000,
      projects,
      lagMs: lagMinutes * minuteMs,
      ...(minutes && { durationMs: minutes.all * minuteMs, warmUpMs: minutes.warmUp * minuteMs }),
    }),
};
export type SimulationTasks = typeof tasks;

serveTasks(tasks);
