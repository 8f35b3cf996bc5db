const unknownAuthority =
  'the certificate of the service comes from an authority that is not known here; name that with accounts[].ca_file if it is yours, otherwise look for something in between that opens the connection';

/** Causes of failed connections, each with what to do, by the code of the error. */
const adviceByCode: ReadonlyMap<string, string> = new Map([
  [
    'CERT_HAS_EXPIRED',
    'the certificate of the service has expired; have it renewed, or set the clock of this host right',
  ],
  ['CERT_NOT_YET_VALID', 'the certificate of the service is not valid yet; set the clock of this host right'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'the service signed its certificate itself; name that with accounts[].ca_file if it is meant to, otherwise look for something in between that opens the connection',
  ],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknownAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownAuthority],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'the certificate of the service is for another name; write the name it is for into base_url',
  ],
  ['EPROTO', 'no TLS is spoken there; check the port in base_url and any proxy in between'],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'no TLS is spoken there; check the port in base_url and any proxy in between',
  ],
  ['ENOTFOUND', 'its name is not known; check the host in base_url and the name service of this host'],
  ['EAI_AGAIN', 'its name cannot be looked up; check the name service of this host'],
  ['ECONNREFUSED', 'nothing listens there; check base_url, and the proxy where there is one'],
]);

/** Undefined where the code says nothing in particular. */
export function connectionAdvice(code: string, message: string): string | undefined {
  const status = /^Proxy response \((\d{3})\)/.exec(message)?.[1];
  if (status === '407') return 'the proxy wants a user name and a password, or others than it was given';
  if (status !== undefined) return `the proxy does not open a tunnel (${status}); ask who runs it`;
  return adviceByCode.get(code);
}
