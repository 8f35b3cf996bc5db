import type { DaemonModule } from './cli/running-daemon.ts';

export const startDaemon: DaemonModule['startDaemon'] = async () => {
  throw new Error('this build has no daemon');
};
