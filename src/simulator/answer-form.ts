import type { SimulatedAccount } from './model/account.ts';
import type { SimulatedKey } from './model/api-key.ts';
import { showLaterApiKey, showLaterEndpoint, showLaterOperation } from './model/later/later-form.ts';
import type { SimulatedEndpoint, SimulatedOperation, SimulatedProject } from './model/project.ts';
import { type EndpointFields, showApiKey, showEndpoint, showOperation } from './model/wire-form.ts';

/** How what all versions of the service have looks in the answers of one of them. */
export interface AnswerForm {
  readonly endpoint: (endpoint: SimulatedEndpoint, fields: EndpointFields) => unknown;
  readonly operation: (project: SimulatedProject, operation: SimulatedOperation) => unknown;
  readonly apiKey: (key: SimulatedKey) => unknown;
  /** The status of the answer to the creation of a key. */
  readonly keyCreated: number;
}

export function answerFormOf({ later, seed }: SimulatedAccount): AnswerForm {
  if (later === undefined) {
    return { endpoint: showEndpoint, operation: showOperation, apiKey: showApiKey, keyCreated: 201 };
  }
  return {
    endpoint: showLaterEndpoint,
    operation: showLaterOperation,
    apiKey: key => showLaterApiKey(seed, key),
    keyCreated: 200,
  };
}
