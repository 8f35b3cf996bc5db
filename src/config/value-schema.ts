import * as v from 'valibot';
import { collectors } from '../resources/collector.ts';
import { matchesGlob } from '../resources/glob.ts';
import { parseShard, type Shard } from '../resources/shard.ts';
import { parseDuration } from './duration.ts';
import { type ListenAddress, parseListenAddress } from './listen-address.ts';
import { findNearestWord, quoteValue } from './problem.ts';
import { items, placed, problemCheck, type Schema, single } from './schema.ts';
import { showKeyFile, showKeyVariable, showUrl } from './shown-secret.ts';
import { nodeProblem } from './written-node.ts';

const shardAdvice =
  'write a part such as 0/3, 1/3 or 2/3, or auto/3 where host names end in these numbers, as those of a StatefulSet do';

/** Reads `0/3`, and `auto/3` by the name of this host. */
function shardSchema(hostName: string) {
  const read = v.rawTransform<string, Shard>(({ dataset: { value: text }, addIssue, NEVER }) => {
    const [, count] = /^auto\/(\d+)$/.exec(text) ?? [];
    const ordinal = /-(\d+)$/.exec(hostName.split('.', 1).join())?.[1];
    const shard = parseShard(count === undefined ? text : `${ordinal}/${count}`);
    if (shard !== undefined) return shard;
    const isHost = count !== undefined && parseShard(`0/${count}`) !== undefined;
    const hostAdvice = `give this host a name that ends in -0 to -${Number(count) - 1}, as "${hostName}" does not, or ${shardAdvice}`;
    addIssue({ message: isHost ? hostAdvice : shardAdvice });
    return NEVER;
  });
  return single(shardAdvice, v.pipe(v.string(), read));
}

/** Checks that belong to other parts of the program: undefined when the text is fine, else what to write instead or what is wrong (`which must …`). */
export interface ValueChecks {
  readonly schedule: (text: string) => string | undefined;
  readonly baseUrl: (text: string) => string | undefined;
  readonly historyFile: (text: string) => string | undefined;
  /** The name of this host, where a shard is numbered by it. */
  readonly hostName: string;
  /** The metrics that can be left out. */
  readonly familyNames: readonly string[];
}

/** The bounds of a value besides its type. */
export interface ValueBounds {
  /** All that a word can be. */
  readonly words?: readonly string[];
  /** The shortest and the longest that a duration can be, as a person would write them. */
  readonly atLeast?: string;
  readonly atMost?: string;
  /** As a person would write it; absent where there is none. */
  readonly default?: string;
}

/** The advice for each type, as an order. */
const advice = {
  address: 'write :PORT, HOST:PORT or [::1]:PORT with a port from 0 to 65535',
  boolean: 'write true or false',
  collectors: `write some of ${collectors.join(', ')}`,
  count: 'write a whole number such as 3, or 0 for none',
  duration: 'write a duration such as 30s, 15m or 45d',
  folder: 'write the path of a folder',
  identifier: 'write an id as the service shows it, without spaces, in quotes if it looks like a number',
  key: 'write the key alone: visible ASCII characters without spaces or line breaks',
  keyFile: 'write the path of a readable file that holds the key and nothing else',
  keyVariable: 'write the name of an environment variable that holds the key',
  link: 'write the whole address of a page, without spaces and #, such as https://wiki.example.com/dbpm',
  metricGlobs:
    'write names of metrics that can be left out, where * stands for anything, such as dbpm_endpoint_*',
  name: 'write a name on one line, in quotes if it looks like a number',
  number: 'write a number such as 3 or 0.5',
  path: 'write the path of a file',
  projects: 'write names or ids of projects, where * stands for anything',
  proxyUrl:
    'write the address of the proxy, such as http://proxy.example.com:3128, without user name, path and query',
  requestRate: 'write a whole number of at least 1, such as 300',
  schedule: 'write a cron expression of six fields, seconds first, such as "*/30 * * * * *"',
  seriesLimit: 'write a whole number such as 50000, or 0 for no limit',
  text: 'write a text on one line without {{, in quotes if it looks like a number',
  timeZone: 'write the name of a time zone such as Europe/Berlin, or UTC',
  url: 'write the base address of the service, such as https://HOST/api/v2/',
  urlPath: 'write a path such as /metrics, other than /, /-/… and /api/…',
};
export const keyFileAdvice = advice.keyFile;

const text = (isRight: (text: string) => boolean) => v.pipe(v.string(), v.check(isRight));
const number = (pattern: RegExp) => v.pipe(v.string(), v.regex(pattern), v.transform(Number));
/** A text that another part of the program finds nothing wrong with. */
const accepted = (check: (text: string) => string | undefined) =>
  v.rawCheck<string>(({ dataset, addIssue }) => {
    const message = dataset.typed ? check(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  });
const numeric = { accepts: ['number'] } as const;

const isWritten = (written: string): boolean => written.trim() !== '';
export const isOneLine = (written: string): boolean => isWritten(written) && !/\p{Cc}/u.test(written);
/** Prometheus takes `{{` in labels and annotations for the start of a template. */
const isPlain = (written: string): boolean => !written.includes('{{');
const isPath = (written: string): boolean => isWritten(written) && !written.includes('\0');
/** `/` is the console, `/-/…` tells how the process is, `/api/…` belongs to the console. */
const isFreePath = (path: string): boolean =>
  /^(?:\/[\w~-][\w.~-]*)+$/.test(path) && !/^\/(?:-|api)(?:\/|$)/.test(path);
/** True if the text can be sent as a bearer token: a header takes visible ASCII only. */
export const isUsableKey = (key: string): boolean => /^[\x21-\x7e]+$/.test(key);

const isPlainLine = (written: string): boolean => isOneLine(written) && isPlain(written);
const isKeyPath = (written: string): boolean => isPath(written) && !written.includes('\n');
const isIdentifier = (written: string): boolean => /^[\w.:~-]{1,200}$/.test(written);
const isVariable = (written: string): boolean => /^[A-Za-z_]\w*$/.test(written);
/** Alerts are read in mails and chats: a path leads nowhere from there. */
const isLink = (written: string): boolean => /^https?:\/\/[^\s#/][^\s#]*$/i.test(written) && isPlain(written);
/** A password would be shown with the settings: HTTPS_PROXY may hold one. */
const isProxyUrl = (written: string): boolean =>
  /^https?:\/\/[^\s/?#@]+\/?$/i.test(written) && URL.canParse(written);
const cutSlashes = (link: string): string => link.replace(/\/+$/, '');

export const plainText = single(advice.text, text(isPlainLine));

/** Instants a hundred years away are still dates. */
const longestDuration = '36500d';

/** A duration in milliseconds. */
export function duration({ atLeast, atMost = longestDuration, default: usual }: ValueBounds): Schema<number> {
  const expected = atLeast ? `write a duration of at least ${atLeast}, such as ${usual}` : advice.duration;
  const zero = atLeast ? expected : 'write a duration longer than zero, such as 30s, 15m or 45d';
  const milliseconds = v.pipe(
    v.string(),
    v.transform(parseDuration),
    v.number(),
    v.minValue(parseDuration(atLeast ?? '1ms') ?? 0, zero),
    v.maxValue(parseDuration(atMost) ?? 0, `write a duration of at most ${atMost}`),
  );
  return single(expected, milliseconds);
}

/** True for a name of the time zone database, without regard to case; not for an offset, which knows no summer. */
function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** A text that fits; otherwise the nearest of some names is the advice. */
export function nameLike(fits: (text: string) => boolean, names: () => readonly string[], otherwise: string) {
  const advise = ({ input }: { readonly input: string }) => {
    const nearest = findNearestWord(input.slice(0, 100), names());
    return nearest === undefined ? otherwise : `write ${nearest}`;
  };
  return v.pipe(v.string(), v.check(fits, advise));
}

const collectorList = v.pipe(
  placed(items(advice.collectors, v.picklist(collectors))),
  problemCheck(({ node, value }) => {
    const expected = 'keep projects: that list says what there is to read';
    return value.includes('projects') ? [] : [nodeProblem(node, quoteValue(value.join(', ')), expected)];
  }),
  v.transform(({ value }) => collectors.filter(collector => value.includes(collector))),
);

/** How a value of each type of setting is read, the same from a flag, the environment and a file. */
export function makeValueSchemas({ schedule, baseUrl, historyFile, familyNames, hostName }: ValueChecks) {
  const isMetricGlob = (glob: string) => familyNames.some(name => matchesGlob(glob, name));
  const metricGlob = nameLike(isMetricGlob, () => familyNames, advice.metricGlobs);
  const zone = nameLike(isTimeZone, () => Intl.supportedValuesOf('timeZone'), advice.timeZone);
  const url = v.pipe(v.string(), accepted(baseUrl), v.transform(URL.parse), v.instance(URL));
  const truth = v.pipe(v.string(), v.parseBoolean({ truthy: ['true'], falsy: ['false'] }));
  const address = v.custom<ListenAddress>(parsed => parsed !== undefined);
  const listenAddress = v.pipe(v.string(), v.transform(parseListenAddress), address);
  return {
    addresses: () => items(advice.address, listenAddress),
    anyAddresses: () => items(advice.address, listenAddress, 'any number'),
    boolean: () => single(advice.boolean, truth, { accepts: ['boolean'] }),
    collectors: () => collectorList,
    count: () => single(advice.count, number(/^\d{1,9}$/), numeric),
    duration,
    historyFile: () => single(advice.path, v.pipe(text(isPath), accepted(historyFile))),
    // Without one nothing is a value too.
    folder: ({ default: usual }: ValueBounds) =>
      single(
        advice.folder,
        text(written => isPath(written) || written === usual),
      ),
    identifier: () => single(advice.identifier, text(isIdentifier)),
    key: () => single(advice.key, text(isUsableKey), { found: 'something that cannot be a key (not shown)' }),
    keyFile: () => single(advice.keyFile, text(isKeyPath), { show: showKeyFile }),
    keyVariable: () => single(advice.keyVariable, text(isVariable), { show: showKeyVariable }),
    // Without a default nothing is a value too.
    link: ({ default: usual }: ValueBounds) =>
      single(
        advice.link,
        v.pipe(
          text(written => isLink(written) || written === usual),
          v.transform(cutSlashes),
        ),
      ),
    metricGlobs: () => items(advice.metricGlobs, metricGlob, 'any number'),
    name: () => single(advice.name, text(isOneLine)),
    number: () => single(advice.number, number(/^\d{1,9}(?:\.\d{1,6})?$/), numeric),
    path: () => single(advice.path, text(isPath)),
    projectGlobs: () => items(advice.projects, text(isOneLine), 'any number'),
    proxyUrl: () =>
      single(advice.proxyUrl, v.pipe(text(isProxyUrl), v.transform(cutSlashes)), { show: showUrl }),
    requestRate: () => single(advice.requestRate, v.pipe(number(/^\d{1,9}$/), v.minValue(1)), numeric),
    schedule: () => single(advice.schedule, v.pipe(text(isWritten), accepted(schedule))),
    seriesLimit: () => single(advice.seriesLimit, number(/^\d{1,9}$/), numeric),
    shard: () => shardSchema(hostName),
    // With none, no project would be left.
    someProjectGlobs: () => items(advice.projects, text(isOneLine)),
    text: () => plainText,
    timeZone: () => single(advice.timeZone, zone),
    url: () => single(advice.url, url, { show: showUrl }),
    urlPath: () => single(advice.urlPath, text(isFreePath)),
    word: ({ words = [] }: ValueBounds) =>
      single(`write ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`, v.picklist(words)),
  } satisfies Record<string, (bounds: ValueBounds) => Schema<unknown>>;
}

export type ValueSchemas = ReturnType<typeof makeValueSchemas>;
export type SettingType = keyof ValueSchemas;
type Fixed<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
export type ValueOfType<Type extends SettingType> = Fixed<v.InferOutput<ReturnType<ValueSchemas[Type]>>>;
