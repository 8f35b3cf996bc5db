import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import { secondMs } from '../resources/duration.ts';
import { AnswerBound } from './answer-bound.ts';
import { type AnswerPage, answerConsole } from './console-answer.ts';
import { answerMetrics } from './metrics-answer.ts';
import { refuseReader, setPlainPageHeaders } from './refusal.ts';
import type { ServerOptions } from './server-options.ts';

export type RouterOptions = Omit<ServerOptions, 'access' | 'listen' | 'healthListen'> &
  Required<Pick<ServerOptions, 'onTurnedAway' | 'now'>>;

const usualDeadlineMs = 30 * secondMs;
/** Other exporters answer 40 at a time, too. */
const answerBounds = { mostAnswers: 40, mostBytes: 32 * 2 ** 20 };

const outdated = 'dbpm-exporter was stopped for a while, and another one has the history by now.';

/**
 * Answers every path.
 *
 * @param serves whether a path is answered at all.
 */
export function createRouter(
  options: RouterOptions,
  isDraining: () => boolean,
  serves: (path: string) => boolean,
): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // One spelling of each path: what needs a login is told by it.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  const {
    renderMetrics,
    renderLandingPage,
    deadlineMs = usualDeadlineMs,
    onTurnedAway,
    now,
    isStandby = () => false,
    isOutdated = () => false,
  } = options;
  const bound = new AnswerBound(answerBounds, onTurnedAway, now);
  const metrics = renderMetrics && { render: renderMetrics, bound, deadlineMs, onTurnedAway };
  const answerScrape =
    metrics &&
    ((request: Request, response: Response) =>
      isOutdated() ? sendText(response, 503, outdated) : answerMetrics(metrics, request, response));
  const pages: Readonly<Record<string, (request: Request, response: Response) => unknown>> = {
    ...(answerScrape && { [options.telemetryPath]: answerScrape }),
    ...(options.answerPage === undefined &&
      renderLandingPage && {
        '/': (_request: Request, response: Response) => sendPage(response, renderLandingPage()),
      }),
    '/-/healthy': (_request, response) => {
      const stall = options.findStall?.();
      const healthy = isStandby() ? 'dbpm-exporter is healthy, as a standby.' : 'dbpm-exporter is healthy.';
      sendText(response, stall === undefined ? 200 : 503, stall ?? healthy);
    },
    '/-/ready': (_request, response) => {
      if (isDraining()) sendText(response, 503, 'dbpm-exporter is stopping.');
      else if (isOutdated()) sendText(response, 503, outdated);
      else if (isStandby())
        sendText(response, 503, 'dbpm-exporter is a standby: another one has the history.');
      else if (options.isReady()) sendText(response, 200, 'dbpm-exporter is ready.');
      else sendText(response, 503, 'dbpm-exporter has nothing to serve yet: no reading succeeded so far.');
    },
  };
  for (const [path, answer] of Object.entries(pages).filter(([path]) => serves(path))) {
    app
      .route(path)
      .get(answer)
      .all((request, response) => refuseMethod(request, response, 'GET, HEAD'));
  }
  const reload = '/-/reload';
  if (serves(reload))
    app
      .route(reload)
      .post((_request, response) => answerReload(response, options.reload))
      .put((_request, response) => answerReload(response, options.reload))
      .all((request, response) => refuseMethod(request, response, 'POST, PUT'));
  if (options.answerPage !== undefined && serves('/')) app.use(answerGets(options.answerPage));
  app.use((request, response) =>
    refuseReader(request, response, 404, 'Nothing is here; / says what there is.'),
  );
  const answerError: ErrorRequestHandler = (error, request, response, _next) => {
    options.onError(error);
    fail(request, response);
  };
  app.use(answerError);
  const { telemetryPath } = options;
  if (metrics === undefined || !serves(telemetryPath) || pages[telemetryPath] !== answerScrape) return app;
  return (request, response) => {
    if (!isUsualScrape(request, telemetryPath) || isOutdated()) return app(request, response);
    return answerMetrics(metrics, request, response).catch(error => {
      options.onError(error);
      fail(request, response);
    });
  };
}

/** Needs nothing of the routes: what they do for a request is the larger part of answering with a small page. */
function isUsualScrape({ method, url = '' }: IncomingMessage, telemetryPath: string): boolean {
  return (
    (method === 'GET' || method === 'HEAD') && (url === telemetryPath || url.startsWith(`${telemetryPath}?`))
  );
}

function fail(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else refuseReader(request, response, 500, 'The answer could not be made; the log says why.');
}

/** All other paths can only be read. */
function answerGets(answerPage: AnswerPage) {
  return (request: Request, response: Response) => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      return answerConsole(answerPage, request, response);
    }
    return refuseMethod(request, response, 'GET, HEAD');
  };
}

async function answerReload(response: Response, reload: ServerOptions['reload']): Promise<void> {
  if (reload === undefined) {
    sendText(response, 403, 'Reloading is not allowed: start with --web.enable-lifecycle, or send SIGHUP.');
    return;
  }
  const problems = await reload();
  if (problems.length === 0) sendText(response, 200, 'The configuration was loaded again.');
  else {
    sendText(response, 500, ['The configuration stays as it was:', ...problems].join('\n'));
  }
}

function sendPage(response: Response, html: string): void {
  setPlainPageHeaders(response);
  response.send(html);
}

function refuseMethod(request: Request, response: Response, methods: string): void {
  const line = `Only ${methods.replace(', ', ' and ')} are answered here.`;
  refuseReader(request, response, 405, line, { Allow: methods });
}

function sendText(response: Response, status: number, line: string): void {
  response.status(status).setHeader('Cache-Control', 'no-store').type('text').send(`${line}\n`);
}
