import type { ApiFault } from './api-fault.ts';
import { broken } from './connection-fault.ts';

/** Shows another certificate of the folder. */
function presenting(fault: string, name: string, cause: string, advice: string): ApiFault {
  return {
    fault,
    group: 'certificate',
    by: 'TLS',
    inflict: ({ gateway, identity }) => gateway.present(identity(name)),
    heal: ({ gateway, identity }) => gateway.present(identity('valid')),
    reason: 'network',
    log: broken(cause, advice),
  };
}

/** What is wrong about who says to be the service. */
export const certificateFaults: readonly ApiFault[] = [
  presenting(
    'the certificate of the service has expired',
    'expired',
    'CERT_HAS_EXPIRED: certificate has expired',
    'the certificate of the service has expired; have it renewed, or set the clock of this host right',
  ),
  presenting(
    'the certificate is signed by itself',
    'self-signed',
    'DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
    'the service signed its certificate itself; name that with accounts[].ca_file if it is meant to, otherwise look for something in between that opens the connection',
  ),
  presenting(
    'the certificate is for another name',
    'other',
    "ERR_TLS_CERT_ALTNAME_INVALID: Hostname/IP does not match certificate's altnames: Host: localhost. is not in the cert's altnames: DNS:elsewhere.test",
    'the certificate of the service is for another name; write the name it is for into base_url',
  ),
  {
    fault: 'what answers speaks no TLS',
    group: 'certificate',
    by: 'TLS',
    inflict: ({ gateway }) =>
      gateway.disconnect(socket => {
        socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      }),
    heal: ({ gateway }) => gateway.disconnect(),
    reason: 'network',
    log: broken(
      'ERR_SSL_WRONG_VERSION_NUMBER: error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/openssl/openssl/ssl/record/methods/tlsany_meth.c:77:',
      'no TLS is spoken there; check the port in base_url and any proxy in between',
    ),
  },
];
