import { projectGlobs, someProjectGlobs } from './list-kind.ts';
import type { Setting, SettingRow } from './setting-row.ts';
import { apiKey, baseUrl, keyFile, name, requestRate, variableName } from './value-kind.ts';

function accountSetting<Value>(
  row: Omit<SettingRow<Value>, 'flag'> & { readonly env?: string },
): Setting<Value> {
  return { ...row, key: `accounts[].${row.key}`, yaml: row.yaml ?? true };
}

/** The settings of one account; the environment variables describe the account they name. */
export const accountSettings = {
  name: accountSetting({
    key: 'name',
    kind: name,
    env: 'DBPM_ACCOUNT_NAME',
    default: 'main',
    help: 'the value of the `account` label',
  }),
  base_url: accountSetting({
    key: 'base_url',
    kind: baseUrl,
    env: 'DBPM_BASE_URL',
    help: 'the base address of the service, with or without the last slash',
  }),
  api_key: accountSetting({
    key: 'api_key',
    kind: apiKey,
    env: 'DBPM_API_KEY',
    yaml: false,
    help: 'the API key itself, in the environment only',
  }),
  api_key_file: accountSetting({
    key: 'api_key_file',
    kind: keyFile,
    env: 'DBPM_API_KEY_FILE',
    help: 'the file that holds the API key, relative to the YAML file that names it',
  }),
  api_key_env: accountSetting({
    key: 'api_key_env',
    kind: variableName,
    help: 'the environment variable that holds the API key',
  }),
  requests_per_minute: accountSetting({
    key: 'requests_per_minute',
    kind: requestRate,
    env: 'DBPM_REQUESTS_PER_MINUTE',
    default: '300',
    help: 'the most requests sent in a minute; fewer are sent when the service asks for it',
  }),
  'projects.include': accountSetting({
    key: 'projects.include',
    kind: someProjectGlobs,
    env: 'DBPM_PROJECTS_INCLUDE',
    default: '*',
    help: 'the projects to watch, by names or ids in which * stands for anything',
  }),
  'projects.exclude': accountSetting({
    key: 'projects.exclude',
    kind: projectGlobs,
    env: 'DBPM_PROJECTS_EXCLUDE',
    default: '',
    help: 'of these the projects to leave out: they are neither read nor shown',
  }),
};

export type AccountField = keyof typeof accountSettings;
