import { isIPv4 } from 'node:net';
import type { ConfigChecks } from '../config/value-kind.ts';

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
  );
}

function checkBaseUrl(text: string): string | undefined {
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' && !isLoopback(hostname)
    ? 'write an https:// address: plain http would send the key unencrypted, and is for loopback only'
    : undefined;
}

/** The checks of settings that belong to other parts of the program, loaded only when a configuration is. */
export async function loadConfigChecks(): Promise<ConfigChecks> {
  const { validate } = await import('node-cron');
  return {
    schedule: text =>
      validate(text) ? undefined : 'write a cron expression, seconds first, such as "*/30 * * * * *"',
    baseUrl: checkBaseUrl,
  };
}
