import type { DaemonHost } from '../daemon/running-daemon.ts';
import type { Io } from './io.ts';
import { version } from './version.ts';

/** Names the revision of the source an image was built from; the Dockerfile sets it. */
const revisionVariable = 'DBPM_EXPORTER_REVISION';

/** This process as the surroundings of a daemon: its log goes to stderr, and a signal stops it. */
export function daemonHost(io: Io): Omit<DaemonHost, 'loadConfig'> {
  const { onHangup, onSecrets, inheritedSockets, notifyPlace } = io;
  return {
    ...{ version, revision: io.env[revisionVariable] ?? '', signal: io.stopped },
    ...{ write: io.stderr, hasColors: io.stderrHasColors },
    ...{ onHangup, onSecrets, inheritedSockets, notifyPlace },
  };
}
