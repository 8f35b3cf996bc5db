import { alerts, listMetrics } from '../../../dashboards/rules/alert-catalog.ts';
import { isLoopback } from '../../api/message/base-url.ts';
import { placeOf } from '../../config/effective-setting.ts';
import { renderListenAddress } from '../../config/listen-address.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { Problem } from '../../config/problem.ts';
import { findWholeCharges } from '../../cost/price/whole-charge.ts';
import { catalog } from '../../resources/catalog.ts';
import { collectors, optionalCollectors } from '../../resources/collector.ts';
import {
  type FamilySelection,
  findIdleCollectors,
  listFamilyNames,
  selectFamilies,
} from '../../resources/family-selection.ts';
import { asksForLogin, openAccess } from '../../resources/web-access.ts';

type Unwarned = Omit<LoadedConfig, 'warnings'>;

/** Warnings of a valid configuration, about settings that do not go together. */
export function warnOfConfig(loaded: Unwarned): Problem[] {
  return [
    ...warnOfIdleCollectors(loaded),
    ...warnOfSilencedAlerts(loaded),
    ...warnOfOpenNetwork(loaded),
    ...warnOfUnreadUse(loaded),
    ...warnOfWholeCharges(loaded),
  ];
}

/** Warns of collectors that cost requests although none of their metrics is shown. */
function warnOfIdleCollectors({ config, effective }: Unwarned): Problem[] {
  const { collect, series } = config;
  const idle = findIdleCollectors(catalog, { ...series, collectors: collect.collectors });
  const where = placeOf('series.exclude', effective);
  return idle.map(collector => ({
    where,
    key: 'series.exclude',
    found: `every metric that ${collector} give`,
    expected: `take ${collector} out of collect.collectors too, which saves their requests`,
  }));
}

const loopback = /^(?:localhost|127\..*|::1)$/;

/** Warns where others on the network can read the metrics without a login, or see its password on the way. */
function warnOfOpenNetwork({ config, effective }: Unwarned): Problem[] {
  const { web, webFile } = config;
  const isTrusted = web.systemdSocket || web.listenAddress.every(({ host }) => host && loopback.test(host));
  const { access = openAccess } = webFile ?? {};
  const lacks = [...(access.tls ? [] : ['TLS']), ...(asksForLogin(access) ? [] : ['a login'])];
  if (isTrusted || lacks.length === 0) return [];
  const key = 'web.listen_address';
  const addresses = web.listenAddress.map(renderListenAddress).join(', ');
  return [
    {
      where: placeOf(key, effective),
      key,
      found: `${addresses}, which the network can reach, without ${lacks.join(' and without ')}`,
      expected:
        'write tls_server_config and basic_auth_users into a file given with --web.config.file, or listen on 127.0.0.1 behind a proxy that has them',
    },
  ];
}

/** Warns of accounts whose compute is to be counted from each project, while no project is read for itself. */
function warnOfUnreadUse({ config, effective }: Unwarned): Problem[] {
  const { collectors } = config.collect;
  if (collectors.includes('endpoints') || collectors.includes('operations')) return [];
  return config.accounts.flatMap(({ cpuSource }, index) => {
    if (cpuSource !== 'project') return [];
    const key = `accounts[${index}].cpu_source`;
    return {
      where: placeOf(key, effective),
      key,
      found: 'project, while no project is read for itself',
      expected: 'add endpoints or operations to collect.collectors, or leave it out',
    };
  });
}

/** Warns of prices that a shard cannot apply to its part of an account. */
function warnOfWholeCharges({ config, effective }: Unwarned): Problem[] {
  const terms = config.shard && config.pricing ? findWholeCharges(config.pricing) : [];
  if (terms.length === 0) return [];
  return [
    {
      where: effective.find(({ key }) => key.startsWith('pricing'))?.from ?? 'configuration',
      key: 'pricing',
      found: `${terms.join(', ')}, for all projects of an account together`,
      expected:
        'ask "report cost" over the histories of all shards for the bill: each of them shows use and no cost',
    },
  ];
}

/** Warns of enabled alerts that ask for metrics which are left out: most of them then never fire. */
export function warnOfSilencedAlerts({
  config: { collect, series, rules, shard },
  effective,
}: Unwarned): Problem[] {
  const enabled = alerts.filter(({ name }) => rules.alerts[name]?.enabled);
  // Another shard reads the API keys for all of them.
  const elsewhere = shard === undefined || shard.index === 0 ? [] : (['api_keys'] as const);
  const read = [...collect.collectors, ...elsewhere, ...optionalCollectors];
  const unread = findMissing({ exclude: [], collectors: read });
  const every = [...collectors, ...optionalCollectors];
  const excluded = findMissing({ exclude: series.exclude, collectors: every }).filter(
    name => !unread.includes(name),
  );
  const causes = [
    { key: 'collect.collectors', found: 'nothing to read the metrics', missing: unread },
    { key: 'series.exclude', found: 'the metrics', missing: excluded },
  ];
  return causes.flatMap(({ key, found, missing }) => {
    const silenced = enabled.flatMap(alert => {
      const wanted = [...listMetrics(alert)].filter(name => missing.includes(name));
      return wanted.length > 0 ? [`${alert.name} (${wanted.join(', ')})`] : [];
    });
    if (silenced.length === 0) return [];
    const where = placeOf(key, effective);
    const needed = `${found} of alerts in the rule file: ${silenced.join(', ')}`;
    return [{ where, key, found: needed, expected: silencedAdvice }];
  });
}

const silencedAdvice =
  'put them back, or switch these alerts off with rules.alerts.<alert>.enabled and print the rules again';

/** Names of the metrics that a selection leaves out of a full page; no alert needs a metric that only a compact one leaves out. */
function findMissing(selection: Omit<FamilySelection, 'mode'>): readonly string[] {
  const shown = listFamilyNames(selectFamilies(catalog, { ...selection, mode: 'full' }));
  return listFamilyNames(catalog).filter(name => !shown.includes(name));
}

const variable = 'NODE_TLS_REJECT_UNAUTHORIZED';

/** The problem of an environment that has Node believe every certificate: any server that answers would get the API key. */
export function findUnverifiedTls(
  { config }: Pick<LoadedConfig, 'config'>,
  env: Readonly<Record<string, string | undefined>>,
): Problem[] {
  const isElsewhere = config.accounts.some(({ base_url }) => !isLoopback(base_url.hostname));
  if (env[variable] !== '0' || !isElsewhere) return [];
  const found = '"0", with which anyone who answers in the place of the service gets the API key';
  const expected = 'take it away, and name the authority of the certificate with accounts[].ca_file';
  return [{ where: 'environment', key: variable, found, expected }];
}
