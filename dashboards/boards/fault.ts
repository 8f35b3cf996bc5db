/** A fault that must have happened before a panel shows anything, where it may be empty on a quiet, healthy fleet. */
export const faults = {
  'account unreachable': 'the service answers 503 to the lists of an account',
  'list paused': 'the service asks that the list of an account be left alone for a while',
  'project unavailable': 'the list of projects named one instead of showing it',
  'project unreadable': 'the service answers 403 to the endpoints of projects for a while',
  'value implausible': 'a project shows more compute than it can have used',
  'service metered': 'the service is of a later version that meters consumption, and its meter was read',
  'meter priced': 'the price book has a price for something that is metered besides compute',
  'metered unusually': 'the meter tells far more of a project than ever',
  'ledgers apart':
    'the meter of the service and its counters tell other use of the same day, and the service another awake time',
  'operation ended': 'an operation reached an end a moment ago',
  'operation failed': 'an operation ended as failed',
  'operation stuck': 'an operation has not ended for more than an hour',
  'attempts failed': 'failures_count of an operation grew',
  'project created': 'a project appeared',
  'project gone': 'a project was deleted',
  'endpoint woken': 'an endpoint was started a moment ago',
  'endpoint in transition': 'an endpoint reports a pending state',
  'endpoint disabled': 'an endpoint was disabled',
  'endpoint never suspends': 'an endpoint was active without a break',
  'key created': 'an API key was created',
  'key revoked': 'an API key was revoked',
  'later service': 'the service sends fields of its later versions, one of them of a wrong type',
  'key address changed': 'an API key was used from another address than before',
} as const;

export type Fault = keyof typeof faults;
