import { readList } from '../../api/list.ts';
import type { Account, Config } from '../../config/config.ts';
import { apiKeyList } from '../../resources/api-key.ts';
import type { Reason } from '../../resources/reason.ts';
import { AccountSource } from './account-source.ts';
import type { Answer, Answers, SampledProjects, ToldUse } from './answers.ts';
import { listProjects } from './project-list.ts';
import { chooseSample, sampleProjects } from './project-sample.ts';
import { askUse } from './project-use.ts';
import { ask } from './question.ts';

/** After these no other question has a better answer. */
const hopeless: ReadonlySet<Reason> = new Set([
  'unauthorized',
  'not_found',
  'network',
  'timeout',
  'rate_limited',
]);

export interface QuestionOptions {
  readonly collect: Config['collect'];
  readonly userAgent: string;
  readonly signal: AbortSignal;
  /** Told how far the questions are, 0 to 1. */
  readonly onProgress: (done: number) => void;
}

/** Parts of all questions that are done after each list; the rest are those to single projects. */
const listsDone = { projects: 0.2, apiKeys: 0.3 };

/** Asks an account for everything that the daemon would: its lists, and some of its projects. Throws the signal's reason. */
export async function askAccount(account: Account, options: QuestionOptions): Promise<Answers> {
  const { collect, userAgent, signal, onProgress } = options;
  const { collectors } = collect;
  const source = new AccountSource(account, collect, userAgent);
  try {
    const projects = await ask(signal, () => listProjects(source, account.projects, signal));
    onProgress(listsDone.projects);
    const goesOn = 'value' in projects || !hopeless.has(projects.error.reason);
    let apiKeys: Answer<number> | undefined;
    if (goesOn && collectors.includes('api_keys')) {
      const read = () => readList(source, apiKeyList, { priority: 'list', signal });
      apiKeys = await ask(signal, async () => (await read()).items.length);
    }
    onProgress(listsDone.apiKeys);
    let sample: SampledProjects | undefined;
    let use: ToldUse | undefined;
    if ('value' in projects) {
      use = await askUse(source, account, projects.value, { collectors, signal });
      sample = await sampleProjects(
        source,
        chooseSample(projects.value, account.requestsPerMinute),
        collectors,
        { signal, onProgress: done => onProgress(listsDone.apiKeys + (1 - listsDone.apiKeys) * done) },
      );
    }
    const { requests, clockSkewMs, certificate } = source;
    const { name, base_url, org_id } = account;
    return {
      ...{ account: name, base_url, collectors, projects, requests },
      ...(org_id !== undefined && { org_id }),
      ...(apiKeys && { apiKeys }),
      ...(use && { use }),
      ...(sample && { sample }),
      ...(clockSkewMs !== undefined && { clockSkewMs }),
      ...(certificate && { certificate }),
    };
  } finally {
    await source.close();
  }
}
