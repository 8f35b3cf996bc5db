import * as v from 'valibot';
import { secondMs } from '../resources/duration.ts';
import { clientAuthTypes, tlsVersions } from '../resources/web-access.ts';
import { group, hasEntries, list, named, placed, type Schema, single } from './schema.ts';
import { adviseOn } from './spending-schema.ts';
import { nameLike } from './value-schema.ts';

/** The cipher suites of the web configuration file by their names in Go and in OpenSSL; suites of TLS 1.3 are always on. */
export const cipherSuites: Readonly<Record<string, string | undefined>> = {
  TLS_AES_128_GCM_SHA256: undefined,
  TLS_AES_256_GCM_SHA384: undefined,
  TLS_CHACHA20_POLY1305_SHA256: undefined,
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
};

/** The curves of the web configuration file by their names in Go and in OpenSSL. */
export const curves: Readonly<Record<string, string>> = {
  CurveP256: 'P-256',
  CurveP384: 'P-384',
  CurveP521: 'P-521',
  X25519: 'X25519',
};

const numberToo = { accepts: ['string', 'number'] } as const;
const notShown = { found: 'something else (not shown)' } as const;

const path = single('write the path of a file', v.pipe(v.string(), v.trim(), v.nonEmpty()));
const pem = (what: string) =>
  single(
    `write ${what} as PEM below "|", or the path of its file under ${what}_file`,
    v.pipe(v.string(), v.includes('-----BEGIN ')),
    notShown,
  );
const text = (expected: string) => single(expected, v.pipe(v.string(), v.nonEmpty()));
const truth = single(
  'write true or false',
  v.pipe(v.string(), v.parseBoolean({ truthy: ['true'], falsy: ['false'] })),
  { accepts: ['boolean'] },
);

function oneOf(names: readonly string[]): Schema<string> {
  const advice = adviseOn(names, '');
  return single(
    advice,
    nameLike(
      name => names.includes(name),
      () => names,
      advice,
    ),
  );
}

/** Kept for files that were written for the first versions of the format. */
const formerClientAuth = 'RequireClientCert';
const clientAuth = single(
  adviseOn(clientAuthTypes, ''),
  v.pipe(
    v.picklist([...clientAuthTypes, formerClientAuth]),
    v.transform(type => (type === formerClientAuth ? 'RequireAnyClientCert' : type)),
  ),
);

const version = single(
  adviseOn(Object.keys(tlsVersions), ''),
  v.pipe(
    v.picklist(Object.keys(tlsVersions) as (keyof typeof tlsVersions)[]),
    v.transform(name => tlsVersions[name]),
  ),
);

const tls = group('write cert_file and key_file', {
  cert: v.exactOptional(placed(pem('cert'))),
  cert_file: v.exactOptional(placed(path)),
  key: v.exactOptional(placed(pem('key'))),
  key_file: v.exactOptional(placed(path)),
  client_ca: v.exactOptional(placed(pem('client_ca'))),
  client_ca_file: v.exactOptional(placed(path)),
  client_auth_type: v.exactOptional(placed(clientAuth)),
  client_allowed_sans: v.exactOptional(
    placed(
      list('write a list of names, each after a "- "', text('write a name such as prometheus.example.org')),
    ),
  ),
  min_version: v.exactOptional(version),
  max_version: v.exactOptional(placed(version)),
  cipher_suites: v.exactOptional(
    list('write a list of cipher suites, each after a "- "', oneOf(Object.keys(cipherSuites))),
  ),
  prefer_server_cipher_suites: v.exactOptional(truth),
  curve_preferences: v.exactOptional(
    list('write a list of curves, each after a "- "', oneOf(Object.keys(curves))),
  ),
});

const http2Advice = 'write false or leave it out: HTTP/1.1 is what is served here';
const headerText = single(
  'write the value of the header on one line',
  v.pipe(v.string(), v.regex(/^[\x20-\x7e]*$/)),
  numberToo,
);

const http = group('write http2 or headers', {
  http2: v.exactOptional(
    single(
      http2Advice,
      v.pipe(
        v.literal('false'),
        v.transform(() => false),
      ),
      { accepts: ['boolean'] },
    ),
  ),
  headers: v.exactOptional(
    group('write one of the five headers', {
      'Content-Security-Policy': v.exactOptional(headerText),
      'X-Frame-Options': v.exactOptional(oneOf(['deny', 'sameorigin'])),
      'X-Content-Type-Options': v.exactOptional(oneOf(['nosniff'])),
      'X-XSS-Protection': v.exactOptional(headerText),
      'Strict-Transport-Security': v.exactOptional(headerText),
    }),
  ),
});

/** `$2y$10$` with a salt and a hash; more than 2^18 rounds take minutes. */
const bcryptPattern = /^\$2[aby]\$(?:0[4-9]|1[0-8])\$[./A-Za-z0-9]{53}$/;
const hash = single(
  'write the bcrypt hash of the password, as "htpasswd -nBC 10" prints it, of a cost of at most 18',
  v.pipe(v.string(), v.regex(bcryptPattern)),
  notShown,
);
/** A name with a colon could not be told from the password after it. */
const userName = v.pipe(
  v.string(),
  v.regex(/^[^:\p{Cc}]+$/u, 'write a name without a colon and on one line'),
);

const intervalAdvice = 'write a duration such as 100ms, 1s or 1m30s, or 0 for no limit';
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: secondMs, m: 60 * secondMs, h: 3600 * secondMs };
const interval = single(
  intervalAdvice,
  v.pipe(v.string(), v.regex(/^(?:0|(?:\d{1,6}(?:\.\d{1,6})?(?:ms|s|m|h))+)$/), v.transform(parseInterval)),
  numberToo,
);

/** A duration as Go writes it, in milliseconds. */
function parseInterval(written: string): number {
  const parts = written.matchAll(/(?<count>[\d.]+)(?<unit>ms|s|m|h)/g);
  return [...parts].reduce((sum, { groups }) => {
    return sum + Number(groups?.count) * (unitMs[groups?.unit ?? ''] ?? 0);
  }, 0);
}

const burst = single(
  'write a whole number of requests, such as 20',
  v.pipe(v.string(), v.regex(/^\d{1,6}$/), v.transform(Number)),
  { accepts: ['number'] },
);

/** The web configuration file, in the format of the Prometheus exporter toolkit. An empty one would let everybody in, and is refused. */
export const webSchema = group(
  'write tls_server_config, http_server_config, basic_auth_users or rate_limit',
  {
    tls_server_config: v.exactOptional(placed(tls)),
    http_server_config: v.exactOptional(http),
    basic_auth_users: v.exactOptional(
      named('write users, each with the bcrypt hash of a password', userName, hash),
    ),
    rate_limit: v.exactOptional(
      group('write interval and burst', { interval, burst: v.exactOptional(burst) }),
    ),
  },
  hasEntries,
);

export type WrittenWeb = v.InferOutput<typeof webSchema>;
export type WrittenTls = v.InferOutput<typeof tls>;
