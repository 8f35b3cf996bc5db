import { readFileSync } from 'node:fs';
import { Failure } from '../resources/failure.ts';

/** How many sockets the daemon may have open at a time. */
export interface DescriptorShare {
  /** To those who read its pages. */
  readonly connections: number;
  /** To the service, of all accounts together. */
  readonly serviceConnections: number;
}

/** Its threads, the history, the log and the listener have forty; a look at a file or a name takes one for a moment. */
const ownDescriptors = 48;
/** Each takes some tens of kilobytes, and no daemon is scraped by more. */
const mostConnections = 512;
const leastConnections = 4;

/** Descriptors that this process may have; undefined where the system does not tell: only Linux does. */
export function readDescriptorLimit(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const soft = /^Max open files +(?<soft>\d+)/m.exec(limits)?.groups?.soft;
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/**
 * Shares out what the daemon does not need for itself: half to its readers, half to the service.
 *
 * @param limit descriptors of the process; undefined where it is not known, as where it is far away.
 * @throws Failure when they are too few for the accounts.
 */
export function shareDescriptors(limit: number | undefined, accounts: number): DescriptorShare {
  const needed = ownDescriptors + 2 * Math.max(leastConnections, accounts);
  if (limit !== undefined && limit < needed) {
    throw new Failure(
      `this process may have ${limit} files and connections open, and needs ${needed} at least: ` +
        'raise the limit (ulimit -n in a shell, LimitNOFILE in a unit of systemd, --ulimit nofile in a container)',
    );
  }
  const spare = limit === undefined ? Number.POSITIVE_INFINITY : limit - ownDescriptors;
  const connections = Math.min(Math.floor(spare / 2), mostConnections);
  return { connections, serviceConnections: spare - connections };
}
