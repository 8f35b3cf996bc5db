/** Projects whose rows lie one after the other, from the first to the last. */
export interface ProjectRange {
  readonly from: number;
  readonly until: number;
}
