import { cpuSourceChoices } from '../resources/project-usage.ts';
import { makeSettings, type SettingRow } from './setting-row.ts';

/** The settings of one account; the environment variables describe the account they name. */
const rows = {
  name: { type: 'name', env: 'DBPM_ACCOUNT_NAME', default: 'main', help: 'the value of the `account` label' },
  base_url: {
    type: 'url',
    env: 'DBPM_BASE_URL',
    help: 'the base address of the service, with or without the last slash',
  },
  api_key: {
    type: 'key',
    env: 'DBPM_API_KEY',
    yaml: false,
    help: 'the API key itself, in the environment only',
  },
  api_key_file: {
    type: 'keyFile',
    env: 'DBPM_API_KEY_FILE',
    help: 'the file that holds the API key, relative to the YAML file that names it',
  },
  api_key_env: { type: 'keyVariable', env: null, help: 'the environment variable that holds the API key' },
  org_id: {
    type: 'identifier',
    env: 'DBPM_ORG_ID',
    help: 'the id of the organisation whose projects are read, where the service asks for one',
  },
  cpu_source: {
    type: 'word',
    words: cpuSourceChoices,
    env: 'DBPM_CPU_SOURCE',
    default: 'auto',
    help: 'where compute is counted from: cpu_used_sec in the list, compute_time_seconds of each project, or the list for as long as it has it',
  },
  proxy_url: {
    type: 'proxyUrl',
    env: 'DBPM_PROXY_URL',
    help: 'the proxy to go through, in place of HTTPS_PROXY',
  },
  ca_file: {
    type: 'path',
    env: 'DBPM_CA_FILE',
    help: 'a PEM file with certificates of authorities to trust besides the usual ones, relative to the YAML file that names it',
  },
  requests_per_minute: {
    type: 'requestRate',
    env: 'DBPM_REQUESTS_PER_MINUTE',
    default: '300',
    help: 'the most requests sent in a minute; fewer are sent when the service asks for it',
  },
  'projects.include': {
    type: 'someProjectGlobs',
    env: 'DBPM_PROJECTS_INCLUDE',
    default: '*',
    help: 'the projects to watch, by names or ids in which * stands for anything',
  },
  'projects.exclude': {
    type: 'projectGlobs',
    env: 'DBPM_PROJECTS_EXCLUDE',
    default: '',
    help: 'the projects to leave out: they are neither read nor shown',
  },
} as const satisfies Record<string, SettingRow>;

export const accountSettings = makeSettings(rows, 'accounts[].');
