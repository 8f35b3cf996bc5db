import type { SimulatorModule } from '../cli/demo.ts';

export const startSimulator: SimulatorModule['startSimulator'] = async () => {
  throw new Error('this build has no simulated service');
};
