import type { PageRequest } from '../http/console-answer.ts';

/** A request for a page, or for the JSON behind one. */
export interface PageQuestion extends PageRequest {
  /** Whether the reader may see personal data: addresses of API keys, and who people are. */
  readonly showsPersonal: boolean;
}
