import { collectors } from '../../../src/resources/collector.ts';
import { type Sample, sampleValue } from '../../support/exposition-reader.ts';

/** Counters that stand still on a good day. */
const growingNames = new Set(['dbpm_collector_errors_total', 'dbpm_account_implausible_values_total']);

/** Signs on a page that an account is not as on any good day, as rows of the table say them. */
export function signsOf(
  account: string,
  before: readonly Sample[],
  now: readonly Sample[],
): readonly string[] {
  const of = (samples: readonly Sample[]) => samples.filter(({ labels }) => labels.account === account);
  const [own, earlier] = [of(now), of(before)];
  const low = ['dbpm_up', 'dbpm_auth_ok']
    .filter(name => sampleValue(own, name) !== 1)
    .map(name => `${name} 0`);
  const failing = collectors
    .filter(collector => sampleValue(own, 'dbpm_collector_success', { collector }) !== 1)
    .map(collector => `dbpm_collector_success{collector="${collector}"} 0`);
  const growing = own
    .filter(({ name }) => growingNames.has(name))
    .filter(({ name, labels, value }) => value > (sampleValue(earlier, name, labels) ?? 0))
    .map(({ name, labels: { account: _account, ...labels } }) => {
      const written = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
      return `${name}{${written.join(',')}} grows`;
    });
  return [...low, ...failing, ...growing].toSorted();
}

/** Signs on a page that the daemon itself is not as on any good day. */
export function selfSignsOf(samples: readonly Sample[]): readonly string[] {
  const isLow = sampleValue(samples, 'dbpm_exporter_config_last_reload_successful') === 0;
  const isDamaged = sampleValue(samples, 'dbpm_exporter_history_damaged') === 1;
  return [
    ...(isLow ? ['dbpm_exporter_config_last_reload_successful 0'] : []),
    ...(isDamaged ? ['dbpm_exporter_history_damaged 1'] : []),
  ];
}

/** Samples that belong to one account, without its label. */
export function samplesOf(account: string, samples: readonly Sample[]): readonly Sample[] {
  return samples.filter(({ labels }) => labels.account === account);
}
