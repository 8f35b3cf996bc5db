/** One list of the service: where it is, how its answer is laid out and how an item is read. */
export interface ListDefinition<Item> {
  /**
   * Path below the base address with placeholders; also the `route` label, for example
   * `/projects/{project_id}/endpoints`.
   */
  readonly route: string;
  /** Key of the array in the answer; absent where the answer itself is the array. */
  readonly itemsKey?: string;
  /** Largest page the service is known to serve, sent as `limit`; absent where the list is not paged. */
  readonly pageLimit?: number;
  /** Whether every version of the list takes `limit`: a refusal then has another cause. Others may know no such parameter. */
  readonly takesLimit?: true;
  /** Whether the list takes the id of an organisation as `org_id` (later versions of the service). */
  readonly takesOrganisation?: true;
  /** Reads one item; undefined when it cannot be used (not an object, no id). Never throws. */
  decode(item: unknown): Item | undefined;
  /** The identity of an item: two items of the list with the same one are the same. */
  identify(item: Item): string;
}
