import type { SettingRow } from './setting-row.ts';

/** Settings on how the daemon is reached, in the order of the table. */
export const webRows = {
  'web.listen_address': {
    type: 'addresses',
    default: ':10062',
    flag: 'address',
    help: 'where HTTP is served: :PORT, HOST:PORT or [::1]:PORT, and more of them with commas between',
  },
  'web.systemd_socket': {
    type: 'boolean',
    default: 'false',
    flag: '',
    help: 'HTTP is served on the sockets that systemd hands over, in place of addresses',
  },
  'web.enable_lifecycle': {
    type: 'boolean',
    default: 'false',
    flag: '',
    help: 'POST /-/reload loads the configuration anew, as SIGHUP does',
  },
  'web.health_without_login': {
    type: 'boolean',
    default: 'false',
    flag: '',
    help: '/-/healthy and /-/ready are answered without a login, for probes that have none',
  },
  'web.personal_data_without_login': {
    type: 'boolean',
    default: 'false',
    flag: '',
    help: 'the console shows addresses of API keys and names of people also without a login or a client certificate',
  },
  'web.external_url': {
    type: 'link',
    default: '',
    flag: 'url',
    help: 'the address that people reach the console by, such as https://dbpm.example.com: alerts and boards link to it, and without a login the exporter answers to this name',
  },
  'web.health_address': {
    type: 'anyAddresses',
    default: '',
    flag: 'address',
    help: 'where /-/healthy and /-/ready, and nothing else, are answered by plain HTTP without a login or a rate limit, for probes',
  },
  'web.telemetry_path': {
    type: 'urlPath',
    default: '/metrics',
    flag: 'path',
    help: 'the path the metrics are served under',
  },
  'web.console': {
    type: 'boolean',
    default: 'true',
    flag: '',
    help: 'the console is served at /, and its figures below /api/v1; without it / has links alone',
  },
} as const satisfies Record<string, SettingRow>;
