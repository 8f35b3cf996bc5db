import type { RepeatedWork } from '../log/problem-log.ts';
import type { BackgroundWork } from './history-api.ts';

/** The words for all that the daemon does again and again, in lines of its log. */
export const readingWork: RepeatedWork = {
  level: 'warn',
  failed: 'a reading failed',
  recovered: 'readings succeed again',
};

export const wholeListWork: RepeatedWork = {
  level: 'warn',
  failed: 'a list may not be whole',
  recovered: 'the list is whole again',
};

export const itemWork: RepeatedWork = {
  level: 'warn',
  failed: 'items are left out',
  recovered: 'no items are left out any more',
};

export const recordingWork: RepeatedWork = {
  level: 'error',
  failed: 'a reading could not be written to the history',
  recovered: 'readings are written to the history again',
};

export const believingWork: RepeatedWork = {
  level: 'warn',
  failed: 'the service reports what cannot be true: it is shown as reported and counts for nothing',
  recovered: 'the service reports nothing any more that cannot be true',
};

export const datingWork: RepeatedWork = {
  level: 'warn',
  failed: 'the Date of answers cannot be true: they are dated by the clock as it was',
  recovered: 'the Date of answers is believed again',
};

export const keyFileWork: RepeatedWork = {
  level: 'warn',
  failed: 'the key file cannot be used: the key in use stays, and a restart would not come up',
  recovered: 'the key file can be used again',
};

export const caFileWork: RepeatedWork = {
  level: 'warn',
  failed: 'the file of ca_file cannot be used: the certificates in use stay, and a restart would not come up',
  recovered: 'the file of ca_file can be used again',
};

export const historyWork: Readonly<Record<BackgroundWork, RepeatedWork>> = {
  publication: {
    level: 'error',
    failed: 'the metrics could not be published',
    recovered: 'the metrics are published again',
  },
  upkeep: {
    level: 'error',
    failed: 'the upkeep of the history could not be done',
    recovered: 'the upkeep of the history is done again',
  },
  budgets: {
    level: 'error',
    failed: 'the request budgets could not be written to the history',
    recovered: 'the request budgets are written to the history again',
  },
  accruals: {
    level: 'error',
    failed: 'what was charged could not be written to the history',
    recovered: 'what is charged is written to the history again',
  },
  backup: {
    level: 'error',
    failed: 'no backup of the history could be made',
    recovered: 'backups of the history are made again',
  },
};

export const takeoverWork: RepeatedWork = {
  level: 'warn',
  failed: 'the history could not be taken over',
  recovered: 'the history was taken over',
};

export const usageWork: RepeatedWork = {
  level: 'error',
  failed: 'use and cost could not be worked out',
  recovered: 'use and cost are worked out again',
};

export const answerWork: RepeatedWork = {
  level: 'error',
  failed: 'a request could not be answered',
  recovered: 'requests are answered again',
};

export const loginWork: RepeatedWork = {
  level: 'warn',
  failed: 'a login failed',
  recovered: 'logins succeed again',
};

export const pageWork: RepeatedWork = {
  level: 'error',
  failed: 'a page of the console could not be made',
  recovered: 'pages of the console are made again',
};

/** @param what is polled, such as `the list of projects`. */
export function pollWork(what: string): RepeatedWork {
  return {
    level: 'error',
    failed: `${what} could not be polled`,
    recovered: `${what} can be polled again`,
  };
}
