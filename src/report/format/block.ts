/** A page for people, whatever it is written in: each face writes its blocks one below the other, and escapes their texts. */
export interface Page {
  readonly title: string;
  /** Said below the title; empty for nothing. */
  readonly lead: string;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  | TableBlock
  | {
      readonly kind: 'items';
      readonly title: string;
      readonly items: readonly Item[];
      readonly whenEmpty: string;
    }
  /** Sentences, left out with their title where there are none. */
  | {
      readonly kind: 'list';
      readonly title?: string;
      readonly sentences: readonly string[];
      readonly isWarning?: boolean;
    };

/** A figure that is seen first. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly detail: string;
}

export interface TableBlock {
  readonly kind: 'table';
  readonly title?: string;
  /** Numbers and money, also as a change in percent, stand to the right. */
  readonly columns: readonly { readonly title: string; readonly kind: 'text' | 'number' | 'money' }[];
  readonly rows: readonly BlockRow[];
  readonly totals?: readonly string[];
  /** Said in its place where there are no rows. */
  readonly whenEmpty: string;
}

export interface BlockRow {
  /** The first is a name. */
  readonly cells: readonly string[];
  /** The project that it names. */
  readonly project?: { readonly account: string; readonly project_id: string };
  /** The length of a bar, 0 to 1. */
  readonly size?: number;
}

/** A thing with what is said of it. */
interface Item {
  readonly name: string;
  readonly id?: string | undefined;
  readonly value: string;
  readonly sentences: readonly string[];
}
