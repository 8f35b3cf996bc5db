import { isLoopback } from '../../../api/message/base-url.ts';
import { Connections } from '../../../api/transport/connections.ts';
import { readCertificates, readUsualProxy } from '../../../config/account-network.ts';
import type { AccountProxy } from '../../../config/config.ts';
import type { Environment } from '../../../config/environment.ts';
import { type Problem, renderProblem } from '../../../config/problem.ts';
import { redactText } from '../../../log/redaction.ts';
import type { InstantRow } from '../../../resources/backfill.ts';
import { minuteMs, secondMs } from '../../../resources/duration.ts';
import { Failure } from '../../../resources/failure.ts';
import type { RenewedLook } from '../renewed-look.ts';
import { readFlagFile, readLogin } from './login.ts';
import { Receiver } from './receiver.ts';
import type { RemoteRequest } from './remote-request.ts';
import { digestExport, ResumeFile, type SendCheckpoint } from './resume-file.ts';
import { renderCount, Sending } from './sending.ts';
import type { RetryTiming } from './verdict.ts';

/** The surroundings of a sending. */
export interface RemoteHost {
  readonly env: Environment;
  readonly userAgent: string;
  readonly timing: RetryTiming;
  /** Takes a sentence that is no failure. */
  readonly note: (sentence: string) => void;
  /** Takes how it ended. */
  readonly say: (sentence: string) => void;
  readonly onProgress: (done: number, pace?: string) => void;
  readonly onSecrets: (list: () => readonly string[]) => void;
  /** Ends the sending: what is under way may come to its end. */
  readonly signal: AbortSignal;
}

/** Requests that are under way at the same time. */
const width = 4;
const usualPatienceMs = 10 * minuteMs;
/** A receiver that is told to stop waiting for gets this long to answer what it was sent. */
const graceMs = 5 * secondMs;

/** An export to a receiver of remote write, from its beginning or from where an earlier run was broken off. */
export class RemoteExport {
  readonly #request: RemoteRequest;
  readonly #host: RemoteHost;
  readonly #url: URL;
  readonly #login;
  readonly #readCa: (() => string) | undefined;
  readonly #resume: ResumeFile;
  readonly #earlier: SendCheckpoint | undefined;

  /**
   * @param histories paths of all that is sent, at least one.
   * @param identity all that the samples follow from, but their histories.
   * @throws Failure when something of the request cannot be used.
   */
  constructor(request: RemoteRequest, histories: readonly string[], identity: unknown, host: RemoteHost) {
    const { remoteWrite = '', caFile, resume } = request;
    this.#request = request;
    this.#host = host;
    this.#login = readLogin(request);
    this.#url = readReceiverAddress(remoteWrite, this.#login.hasAuthorization);
    const findProblem = (text: string) => {
      const content = readCertificates({ text, readableByAll: false });
      return 'problem' in content ? content.problem : undefined;
    };
    this.#readCa = caFile === undefined ? undefined : readFlagFile('--ca-file', caFile, findProblem).read;
    const digest = digestExport([this.#url.href, histories.join('\n'), identity]);
    this.#resume = new ResumeFile(resume ?? `${histories[0]}.remote-write-${digest}.json`, digest);
    this.#earlier = this.#resume.read();
  }

  /** The range of an earlier run that was broken off: its instants are the ones to go on with. */
  get range(): Pick<SendCheckpoint, 'from' | 'to'> | undefined {
    return this.#earlier;
  }

  /**
   * Sends the samples of some instants.
   *
   * @param rows of instants within the range, the oldest first.
   * @throws Failure when not all was taken.
   */
  async send(
    look: RenewedLook,
    {
      rows,
      projects,
      ...range
    }: { readonly rows: readonly InstantRow[]; readonly projects: number } & Pick<
      SendCheckpoint,
      'from' | 'to'
    >,
  ): Promise<void> {
    const { url, host } = { url: this.#url, host: this.#host };
    const proxy = findReceiverProxy(url, host.env);
    const listSecrets = () => [...this.#login.listSecrets(), ...secretsOfAddresses(url, proxy?.url)];
    host.onSecrets(listSecrets);
    this.#tellFiles();
    const { requestMs } = host.timing;
    const timeouts = {
      connectTimeoutMs: 10 * secondMs,
      headersTimeoutMs: requestMs,
      bodyTimeoutMs: requestMs,
    };
    const connections = new Connections(url, {
      ...{
        connections: width,
        timeouts: { ...timeouts, totalTimeoutMs: requestMs },
        proxy,
        readCa: this.#readCa,
      },
    });
    const abandon = new AbortController();
    const onStop = () => void setTimeout(() => abandon.abort(), graceMs).unref();
    host.signal.addEventListener('abort', onStop, { once: true });
    const receiver = new Receiver({
      ...{
        url,
        connections,
        userAgent: host.userAgent,
        readHeaders: this.#login.readHeaders,
        timing: host.timing,
      },
      ...{ stopped: host.signal, abandoned: abandon.signal, onTrouble: host.note },
      redact: text => redactText(text, listSecrets()),
      patienceMs: this.#request.patience ?? usualPatienceMs,
    });
    const checkpoint = this.#earlier ?? { ...range, samples: 0 };
    const sending = new Sending({
      receiver,
      width,
      checkpoint,
      host,
      keep: each => this.#resume.write(each),
    });
    try {
      this.#resume.write(checkpoint);
      await sending.sendAll(look, rows, projects);
    } catch (error) {
      // Nothing is there that samples at other instants would add to.
      if (this.#earlier === undefined && !receiver.mayHaveTaken) this.#resume.remove();
      throw describeEnd(error, sending, host.signal);
    } finally {
      host.signal.removeEventListener('abort', onStop);
      await connections.destroy(new Error('the export is over'));
    }
    this.#resume.remove();
    host.say(sending.renderSummary());
  }

  #tellFiles(): void {
    if (this.#earlier !== undefined) this.#host.note(describeEarlier(this.#earlier, this.#resume.path));
    for (const path of this.#login.openFiles)
      this.#host.note(`every user may read ${path}: take that right away (chmod 600)`);
  }
}

/** Samples that may or may not have been taken are sent again at the same instants. */
function describeEarlier({ from, to, sentUntil }: SendCheckpoint, path: string): string {
  const [first, last, reached] = [from, to, sentUntil ?? from].map(at => new Date(at).toISOString());
  const what =
    sentUntil === undefined
      ? `it sends the range of an earlier run that was broken off, from ${first} to ${last}`
      : `it goes on where an earlier run ended, at ${reached}, and to its end at ${last}`;
  return `${what}: remove ${path} to begin anew`;
}

/** An address may have a secret in its query, and that of a proxy a login. */
function secretsOfAddresses(url: URL, proxy: string | undefined): readonly string[] {
  const { username = '', password = '' } = (proxy && URL.parse(proxy)) || {};
  const values = [...url.searchParams.values(), decodeURIComponent(username), decodeURIComponent(password)];
  return values.filter(value => value.length >= 4);
}

function describeEnd(error: unknown, sending: Sending, signal: AbortSignal): unknown {
  const until = sending.sentUntil;
  const reached = until === undefined ? 'from the beginning' : `after ${new Date(until).toISOString()}`;
  const goesOn = `run it again to go on ${reached}`;
  if (signal.aborted) return new Failure(`the export was told to stop before its end: ${goesOn}`);
  if (!(error instanceof Failure)) return error;
  const left =
    sending.notTaken === 0 ? '' : `; ${renderCount(sending.notTaken)} samples that were sent were not taken`;
  return new Failure(`${error.message}${left}; ${goesOn}`, error.kind);
}

const example = 'http://host:8428/api/v1/write';

/**
 * Reads the address of a receiver. No message repeats it, as it may carry a secret.
 *
 * @throws Failure when it is none.
 */
export function readReceiverAddress(text: string, hasLogin: boolean): URL {
  const refuse = (problem: string) => new Failure(`--remote-write ${problem}`, 'usage');
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refuse(`is not an address: write one such as ${example}`);
  if (url.username !== '' || url.password !== '')
    throw refuse('must not carry a user name or password: give them with --basic-auth-file');
  if (url.hash !== '') throw refuse('must not carry a fragment: end it before the #');
  if (hasLogin && url.protocol === 'http:' && !isLoopback(url.hostname))
    throw refuse('must start with https://, because over http:// the login travels readable');
  return url;
}

/** @throws Failure when the environment names a proxy that is none. */
function findReceiverProxy(url: URL, env: Environment): AccountProxy | undefined {
  const problems: Problem[] = [];
  const proxy = readUsualProxy(url, { env, problems });
  const [problem] = problems;
  if (problem !== undefined) throw new Failure(renderProblem(problem), 'usage');
  return proxy;
}
