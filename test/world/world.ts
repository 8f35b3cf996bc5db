import type { Truth } from '../support/truth.ts';

/** Who asks: by which key, and from which address as proxies tell it; the exporter's own key unless told. */
export interface Asker {
  readonly key?: string;
  readonly from?: string;
}

/** A simulated service that a test drives, whatever carries its requests and whatever time it goes by. */
export interface World {
  /** Root of the service, with a last slash. */
  readonly base_url: string;
  /** Asks a control call or, by an absolute URL, the service; throws what the answer says when it refuses. */
  call(method: string, path: string, body?: unknown, asker?: Asker): Promise<unknown>;
  truth(): Promise<Truth>;
  /** Stops the service's clock, so that nothing happens but what is asked for; `thaw` lets it run on. */
  freeze(): void;
  thaw(): void;
}
