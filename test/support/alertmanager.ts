import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findFreePort } from './free-port.ts';
import { listenOnLoopback } from './loopback-server.ts';
import { startPeerProcess } from './peer-process.ts';

/** An alert as the webhook of an Alertmanager is told of it. */
interface Notification {
  readonly status: 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A real Alertmanager that passes every alert on at once, on its own, to a receiver that keeps them. */
export interface Alertmanager {
  readonly url: string;
  /** All that was received, oldest first; an alert that keeps firing comes once. */
  notifications(): readonly Notification[];
  close(): Promise<void>;
}

/**
 * Starts an Alertmanager and the receiver of its notifications on free loopback ports.
 *
 * @param binary path of the program.
 * @param inhibitRules which alerts mute which, as its configuration file has them; none by default.
 */
export async function startAlertmanager(
  binary: string,
  inhibitRules: readonly object[] = [],
): Promise<Alertmanager> {
  const receiver = await startReceiver();
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-alertmanager-'));
  const configFile = join(folder, 'alertmanager.yml');
  writeFileSync(configFile, renderConfig(`${receiver.url}/`, inhibitRules));
  const address = `127.0.0.1:${await findFreePort()}`;
  const args = [
    `--config.file=${configFile}`,
    `--storage.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
    '--cluster.listen-address=',
    '--log.level=warn',
  ];
  const { url, stop } = await startPeerProcess('Alertmanager', binary, args, address);
  return {
    url,
    notifications: receiver.notifications,
    async close() {
      await stop();
      await receiver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startReceiver() {
  const received: Notification[] = [];
  const server = createServer(async (request, response) => {
    received.push(...(await readNotifications(request)));
    response.end();
  });
  return { ...(await listenOnLoopback(server)), notifications: () => received };
}

async function readNotifications(request: IncomingMessage): Promise<readonly Notification[]> {
  const { alerts } = JSON.parse(await text(request)) as { alerts: readonly Notification[] };
  return alerts;
}

/** JSON is YAML. `...` groups by every label: each alert is a notification of its own. */
function renderConfig(webhook: string, inhibit_rules: readonly object[]): string {
  return JSON.stringify({
    route: {
      receiver: 'test',
      group_by: ['...'],
      group_wait: '0s',
      group_interval: '1s',
      repeat_interval: '1h',
    },
    receivers: [{ name: 'test', webhook_configs: [{ url: webhook, send_resolved: true }] }],
    inhibit_rules,
  });
}
