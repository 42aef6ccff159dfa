/** Every rate of a snapshot by country and field: `RO reduced[0]` is `5`. */
export type Fields = ReadonlyMap<string, string>;

type WireRates = Readonly<
  Record<
    string,
    {
      readonly standard: number;
      readonly reduced: readonly number[];
      readonly super_reduced: number | null;
      readonly parking: number | null;
    }
  >
>;

export type WireChange = {
  readonly id: string;
  readonly snapshotDate: string;
  readonly country: string;
  readonly field: string;
  readonly old: number | null;
  readonly new: number | null;
  readonly detectedAt: string;
};

/** Reads the body of `/rates` like a caller. */
export function fieldsOf(body: string): Fields {
  const { rates } = JSON.parse(body) as { rates: WireRates };
  const fields = new Map<string, string>();
  for (const [country, rate] of Object.entries(rates)) {
    fields.set(`${country} standard`, String(rate.standard));
    for (const [at, value] of rate.reduced.entries()) {
      fields.set(`${country} reduced[${at}]`, String(value));
    }
    if (rate.super_reduced !== null) {
      fields.set(`${country} super_reduced`, String(rate.super_reduced));
    }
    if (rate.parking !== null) fields.set(`${country} parking`, String(rate.parking));
  }
  return fields;
}

/** Values of a rate: numbers on the wire, or stored decimals. */
type FoldedChange = Pick<WireChange, 'country' | 'field'> & {
  readonly old: number | string | null;
  readonly new: number | string | null;
};

/** Applies change rows, the oldest first; throws if a row does not fit the value before it. */
export function foldChanges(first: Fields, changes: readonly FoldedChange[]): Fields {
  const fields = new Map(first);
  for (const change of changes) {
    const name = `${change.country} ${change.field}`;
    const before = fields.get(name) ?? null;
    const old = change.old === null ? null : String(change.old);
    if (before !== old) throw new Error(`${name} was ${before}, the row says ${old}`);
    if (change.new === null) fields.delete(name);
    else fields.set(name, String(change.new));
  }
  return fields;
}
