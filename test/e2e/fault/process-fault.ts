import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expectRefusal, type MachineFault } from './machine-fault.ts';

/** The key that was in use stays in use; the file has it again in the end. */
function losingKey(fault: string, change: (keyFile: string) => void): MachineFault {
  return {
    fault,
    async inflict({ keyFile }) {
      change(keyFile);
      await pause(5000);
    },
    heal: ({ keyFile, key }) => writeFileSync(keyFile, key, { mode: 0o600 }),
    signs: [],
    alerts: [],
  };
}

/** What happens to the process, to what it may use and to its key. */
export const processFaults: readonly MachineFault[] = [
  {
    fault: 'the process is stopped for ten seconds (SIGSTOP) and goes on',
    async inflict(stage) {
      const daemon = await stage.running();
      daemon.signal('SIGSTOP');
      await pause(10_000);
      daemon.signal('SIGCONT');
    },
    signs: [],
    alerts: ['DbpmExporterDown'],
  },
  {
    fault: 'the daemon is killed (SIGKILL) and started again',
    async inflict(stage) {
      const daemon = await stage.running();
      await daemon.stop('SIGKILL');
    },
    signs: [],
    alerts: ['DbpmExporterDown'],
    down: true,
  },
  {
    fault: 'a second daemon is started on the same history',
    inflict: stage => expectRefusal(stage, 'is in use by another dbpm-exporter'),
    signs: [],
    log: 'is in use by another dbpm-exporter',
    alerts: [],
  },
  {
    fault: 'no more than 64 files and connections may be open',
    async inflict(stage) {
      await (await stage.running()).stop('SIGTERM');
      await stage.start({}, ['sh', '-c', 'ulimit -n 64 && exec "$@"', 'sh']);
    },
    signs: [],
    alerts: [],
    restarts: true,
  },
  {
    fault: 'JavaScript may take no more than 64 MB',
    async inflict(stage) {
      await (await stage.running()).stop('SIGTERM');
      await stage.start({ NODE_OPTIONS: '--max-old-space-size=64' });
    },
    signs: [],
    alerts: [],
    restarts: true,
  },
  losingKey('the key file is removed', keyFile => rmSync(keyFile)),
  losingKey('the key file is empty', keyFile => writeFileSync(keyFile, '')),
  losingKey('the key file holds garbage', keyFile => writeFileSync(keyFile, '\u0000\u0007 x')),
];
