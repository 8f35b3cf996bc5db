/** Sentences on an action of the service; each says only what is so whatever happened. */
export interface ActionWords {
  /** The operation as a noun, to be followed by of what it is. */
  readonly noun: string;
  /** The operation as a thing, to be followed by a verb. */
  readonly thing: string;
  readonly failed: string;
  readonly done: string;
  readonly does: string;
  /** What may be so after it failed. */
  readonly leaves: string;
  /** What to do after it failed. */
  readonly remedy: string;
}

/** What each action is, in plain words. */
const actions: Readonly<Record<string, ActionWords>> = {
  start_compute: {
    noun: 'start',
    thing: 'The start of an endpoint',
    failed: 'An endpoint failed to start',
    done: 'An endpoint started',
    does: 'It starts the compute of an endpoint. Clients can connect when that runs.',
    leaves: 'Whether compute has run since is not known.',
    remedy: 'Connect once: a later start may succeed',
  },
  suspend_compute: {
    noun: 'suspension',
    thing: 'The suspension of an endpoint',
    failed: 'An endpoint could not be suspended',
    done: 'An endpoint was suspended',
    does: 'It suspends the compute of an endpoint.',
    leaves: 'While the endpoint is awake, it costs money.',
    remedy: 'Suspend the endpoint in the console of the service',
  },
  apply_config: {
    noun: 'change of settings',
    thing: 'A change of settings',
    failed: 'A change of settings failed',
    done: 'Settings were changed',
    does: 'It applies a setting, a role or a database.',
    leaves: 'A setting, a role or a database may not be as somebody asked.',
    remedy: 'Repeat the change that asked for it',
  },
  check_availability: {
    noun: 'availability check',
    thing: 'A check of an endpoint',
    failed: 'A check of an endpoint failed',
    done: 'An endpoint was checked',
    does: 'The service checks that an endpoint can start.',
    leaves: 'Whether the endpoint can start is not known.',
    remedy: 'Connect once: that shows whether it starts',
  },
  create_branch: {
    noun: 'creation of a branch',
    thing: 'The creation of a branch',
    failed: 'A branch could not be created',
    done: 'A branch was created',
    does: 'It creates a branch.',
    leaves: 'The branch may not be there.',
    remedy: 'Look whether the branch is there, and create it again if it is not',
  },
  create_timeline: {
    noun: 'creation of the storage of a branch',
    thing: 'The creation of the storage of a branch',
    failed: 'The storage of a branch could not be created',
    done: 'The storage of a branch was created',
    does: 'It creates the storage of a branch.',
    leaves: 'The branch may not be there.',
    remedy: 'Look whether the branch is there, and create it again if it is not',
  },
  delete_tenant: {
    noun: 'deletion of the storage',
    thing: 'The deletion of the storage of a project',
    failed: 'The storage of a project could not be deleted',
    done: 'The storage of a project was deleted',
    does: 'It deletes the storage of a project.',
    leaves: 'The storage may still be there.',
    remedy: 'Look whether the project is gone, and delete it again if it is not',
  },
};

export function wordsOf(action: string): ActionWords {
  return (
    actions[action] ?? {
      noun: `operation ${action}`,
      thing: `Operation ${action}`,
      failed: `Operation ${action} failed`,
      done: `Operation ${action} ended well`,
      does: `It is an operation ${action} of the service.`,
      leaves: 'What it was to do may not be done.',
      remedy: 'Repeat what asked for it',
    }
  );
}
