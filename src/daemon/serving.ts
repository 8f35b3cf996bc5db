import type { Config } from '../config/config.ts';
import type { PageQuestion } from '../console/page.ts';
import type { MadePage, PageRequest, RefusedPage } from '../http/console-answer.ts';
import { renderLandingPage } from '../http/content/landing-page.ts';
import { HttpServer } from '../http/server.ts';
import type { ListenPlace } from '../http/server-options.ts';
import type { Logger } from '../log/logger.ts';
import type { ProblemLog } from '../log/problem-log.ts';
import type { SelfMetrics } from '../metrics/self/self-metrics.ts';
import { Failure } from '../resources/failure.ts';
import { asksForLogin, type LoginOutcome } from '../resources/web-access.ts';
import type { DescriptorShare } from './descriptor-share.ts';
import { describeStalls, type PollWatchdog } from './poll-watchdog.ts';
import type { ReloadableWatching } from './reload.ts';
import { answerWork, noteLogin } from './repeated-work.ts';
import { WebAccessWatch } from './web-access-watch.ts';

/** The parts of a daemon that are served. */
interface ServedParts extends Omit<Served, 'answer' | 'reload'> {
  readonly version: string;
  readonly self: SelfMetrics;
  readonly share: DescriptorShare;
  readonly watching: ReloadableWatching;
  readonly stalls: PollWatchdog;
}

/** What is served alike by a daemon and by a console over histories. */
interface Served {
  readonly log: Logger;
  /** Descriptors of the sockets that systemd handed over. */
  readonly inheritedSockets: readonly number[];
  readonly problems: ProblemLog;
  readonly answer: (question: PageQuestion, gone?: AbortSignal) => Promise<MadePage | RefusedPage>;
  readonly reload: () => Promise<readonly string[]>;
}

/** How it is served, as the configuration says. @throws Failure when systemd handed over no socket. */
export function webOptions({ web, webFile }: Config, served: Served) {
  const access = new WebAccessWatch(webFile, served.log);
  return {
    listen: listenPlaces(web, served.inheritedSockets),
    telemetryPath: web.telemetryPath,
    healthWithoutLogin: web.healthWithoutLogin,
    healthListen: web.healthAddress,
    externalUrl: web.externalUrl,
    access: () => access.access,
    answerPage: (question: PageRequest, gone?: AbortSignal) => {
      const showsPersonal = web.personalDataWithoutLogin || asksForLogin(access.access);
      return served.answer({ ...question, showsPersonal }, gone);
    },
    ...(web.enableLifecycle && { reload: served.reload }),
    onLogin: (outcome: LoginOutcome, address: string) => noteLogin(served.problems, outcome, address),
    onError: (error: unknown) => served.problems.fail(answerWork, {}, error),
  };
}

/**
 * Serves what is watched, over HTTP.
 *
 * @throws Failure when systemd handed over no socket, though it should have; the system's error when an address cannot be
 *   listened on.
 */
export function serve(config: Config, parts: ServedParts): Promise<HttpServer> {
  const { version, log, self, share, watching, stalls, problems } = parts;
  const { telemetryPath } = config.web;
  const { answerPage, onLogin, ...usual } = webOptions(config, {
    ...parts,
    answer: (question, gone) => watching.current.answerPage(question, gone),
    reload: () => watching.reload(),
  });
  return HttpServer.start({
    ...usual,
    mostConnections: share.connections,
    onTurnedAway: self.countTurnedAway,
    onLogin(outcome, address) {
      self.countLogin(outcome);
      onLogin(outcome, address);
    },
    renderMetrics: async (format, gzip) => {
      const tail = await self.render(format);
      const read = () => watching.current.history.publication.read(format, gzip, tail);
      // A format that was not asked for yet waits for a reload to be over.
      const page = await read().catch(() => watching.settled.then(read));
      problems.succeed(answerWork, {});
      return page;
    },
    renderLandingPage: () => {
      const { overviews: accounts } = watching.current.history.shown;
      return renderLandingPage({ version, telemetryPath, accounts, now: Date.now() });
    },
    ...(config.web.console && {
      answerPage: (question: PageRequest, gone: AbortSignal) =>
        holdsSecret(question, log.redact) ? Promise.resolve(secretAddressAnswer) : answerPage(question, gone),
    }),
    isReady: () => watching.current.history.shown.hasData,
    isStandby: () => watching.current.isStandby,
    isOutdated: () => watching.current.isOutdated,
    findStall: () => describeStalls(stalls.list()),
  });
}

/** The places that a configuration wants to be served at. @throws Failure when systemd handed over no socket. */
function listenPlaces(
  { systemdSocket, listenAddress }: Config['web'],
  inheritedSockets: readonly number[],
): readonly ListenPlace[] {
  if (!systemdSocket) return listenAddress;
  if (inheritedSockets.length > 0) return inheritedSockets.map(fd => ({ fd }));
  const advice = 'start it by a socket unit, or leave --web.systemd-socket out';
  throw new Failure(`systemd handed over no socket: ${advice}`);
}

/** Whether an address has a secret in it, written in any way that a page would say it back. */
export function holdsSecret(
  { path, search }: Pick<PageQuestion, 'path' | 'search'>,
  redact: (text: string) => string,
): boolean {
  const written = path + search;
  return [written, decode(written)].some(text => redact(text) !== text);
}

/** The answer to such an address, which says nothing of it. */
const secretAddressAnswer: RefusedPage = {
  status: 400,
  headers: {},
  line: 'This address has a key in it, and is not answered: leave the key out.',
};

/** As it is read; as it is where it cannot be. */
function decode(address: string): string {
  try {
    return decodeURIComponent(address.replaceAll('+', ' '));
  } catch {
    return address;
  }
}
