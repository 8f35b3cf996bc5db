import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expectRefusal, type MachineFault } from './machine-fault.ts';

/** The key that was in use stays in use; the file has it again in the end. */
function losingKey(fault: string, change: (keyFile: string) => void, log: string): MachineFault {
  return {
    fault,
    inflict: async ({ keyFile }) => change(keyFile),
    async heal(stage) {
      writeFileSync(stage.keyFile, stage.key, { mode: 0o600 });
      await (await stage.running()).stop('SIGTERM');
    },
    signs: ['dbpm_exporter_config_last_reload_successful 0'],
    log,
    alerts: ['DbpmConfigReloadFailed'],
    // One that fails again soon is no news to the log: the next row has a daemon of its own.
    restarts: true,
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
  losingKey('the key file is removed', keyFile => rmSync(keyFile), 'which does not exist'),
  losingKey('the key file is empty', keyFile => writeFileSync(keyFile, ''), 'which is empty'),
  losingKey(
    'the key file holds garbage',
    keyFile => writeFileSync(keyFile, '\u0000\u0007 x'),
    'which holds more than a key',
  ),
];
