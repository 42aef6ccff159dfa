/** The kinds of objects in which a database can keep something, or do something by itself. */
export type ObjectKind =
  | 'table'
  | 'column'
  | 'constraint'
  | 'foreign key'
  | 'index'
  | 'sequence'
  | 'view'
  | 'trigger'
  | 'rule'
  | 'policy'
  | 'function';

/** An object of a database, as its engine describes it. */
export type DatabaseObject = {
  readonly kind: ObjectKind;
  readonly name: string;
  /** The table that it acts on; of a foreign key the one that it names; null if there is none. */
  readonly table: string | null;
  /** Differs if the object does something else. */
  readonly definition: string;
};

/** Names an object in the list and for an operator: `trigger events.events_position`, `table events`. */
export function nameOf({ kind, name, table }: DatabaseObject): string {
  if (kind === 'foreign key') return `${kind} ${name} to ${table}`;
  return table === null || kind === 'table' ? `${kind} ${name}` : `${kind} ${table}.${name}`;
}
