import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder with certificates of one authority: files `NAME.crt` and `NAME.key`, and the authority's own. */
export interface CertificateFolder {
  readonly folder: string;
  /** The path of a file in it. */
  path(file: string): string;
  read(file: string): string;
  /** Signs a certificate for these names, such as `DNS:localhost`; one there before is replaced. */
  issue(name: string, sans: readonly string[], options?: IssueOptions): void;
}

interface IssueOptions {
  readonly selfSigned?: boolean;
  /** One that ended yesterday. */
  readonly expired?: boolean;
}

/**
 * @param openssl path of the program.
 * @param onEnd takes what removes the folder; the end of the test unless told.
 */
export function makeCertificates(
  openssl: string,
  onEnd: (remove: () => void) => void = onTestFinished,
): CertificateFolder {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-certificates-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const path = (file: string) => join(folder, file);
  const run = (...args: string[]) => execFileSync(openssl, args, { cwd: folder, stdio: 'pipe' });
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
  run(
    'req',
    '-x509',
    ...curve,
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-days',
    '2',
    '-subj',
    '/CN=authority',
  );
  return {
    folder,
    path,
    read: file => readFileSync(path(file), 'utf8'),
    issue(name, sans, { selfSigned = false, expired = false } = {}) {
      const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${sans.join(',')}`];
      const files = ['-keyout', `${name}.new.key`, '-out', `${name}.new.crt`];
      const authority = selfSigned ? [] : ['-CA', 'ca.crt', '-CAkey', 'ca.key'];
      run('req', '-x509', ...curve, ...files, '-days', '2', ...subject, ...authority);
      if (expired) {
        writeFileSync(path(`${name}.ext`), `subjectAltName=${sans.join(',')}`);
        run('req', '-new', '-key', `${name}.new.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
        const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-days', '-1', '-extfile', `${name}.ext`];
        run('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.new.crt`, ...signed);
      }
      for (const kind of ['key', 'crt'])
        writeFileSync(path(`${name}.${kind}`), readFileSync(path(`${name}.new.${kind}`)));
    },
  };
}
