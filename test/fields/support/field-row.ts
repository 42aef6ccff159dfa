/** The values of a field that a caller may write. */
export type FieldRow = {
  /** Its place and name: `query limit`, `body trader.name`. */
  readonly field: string;
  /** The operations that have it; all that have a field of this name if this is left out. */
  readonly of?: readonly string[];
  /** Texts of a parameter, or values in JSON of a field in a body. */
  readonly accepts: readonly unknown[];
  /** Values by the words behind "expected" of their 400. */
  readonly refuses: Readonly<Record<string, readonly unknown[]>>;
  /** Parameters of the query that the values need beside them. */
  readonly beside?: Readonly<Record<string, string>>;
  /** The name in the 400, if it is that of another parameter. */
  readonly named?: string;
};
