import type { BackupModule } from '../cli/backup.ts';

export const backupHistory: BackupModule['backupHistory'] = async () => {
  throw new Error('this build has no history');
};
