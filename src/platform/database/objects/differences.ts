import { quote } from '../../values/quote.ts';
import { type DatabaseObject, nameOf, type ObjectKind } from './database-object.ts';

/** An object that is not as the migrations of vatfx make it. */
export type Difference = {
  readonly state: 'foreign' | 'changed' | 'missing';
  readonly kind: ObjectKind;
  /** With the kind and the table, as in the list. */
  readonly name: string;
  /** The name alone. */
  readonly object: string;
  /** Whether it acts on a table of vatfx, or is one. */
  readonly isOnOwn: boolean;
};

/** Compares the objects of a database with those that it should have, by name. */
export function compareObjects(
  found: readonly DatabaseObject[],
  own: ReadonlyMap<string, string>,
): readonly Difference[] {
  const names = new Set(found.map(nameOf));
  const differing = found.flatMap((object): Difference[] => {
    const { kind, table, definition } = object;
    const name = nameOf(object);
    const expected = own.get(name);
    if (expected === definition) return [];
    const isOnOwn = own.has(`table ${table}`);
    if (expected !== undefined) {
      return [{ state: 'changed', kind, name, object: object.name, isOnOwn: true }];
    }
    if (!isOnOwn && isPartOfTable(kind)) return [];
    return [{ state: 'foreign', kind, name, object: object.name, isOnOwn }];
  });
  const missing = [...own.keys()]
    .filter((name) => !names.has(name))
    .map((name): Difference => {
      const kind = /^(?:foreign key|\w+)/.exec(name)?.[0] as ObjectKind;
      return { state: 'missing', kind, name, object: name, isOnOwn: true };
    });
  return [...differing, ...missing];
}

/** Whether a foreign table is named instead of it. */
function isPartOfTable(kind: ObjectKind): boolean {
  return ['column', 'constraint', 'foreign key', 'index'].includes(kind);
}

/**
 * Whether it changes or hinders what vatfx writes: a trigger or a rule on a table of vatfx, or a trigger or function of vatfx that
 * does something else.
 */
export function actsOnWrites({ state, kind, isOnOwn }: Difference): boolean {
  if (kind === 'trigger' || kind === 'rule') return isOnOwn;
  return kind === 'function' && state !== 'foreign';
}

/**
 * Names the objects because of which a database from outside is refused: foreign ones that do something by themselves, and all that
 * are changed or missing. Foreign indexes, tables, sequences and functions do nothing as long as nothing calls them.
 */
export function describeRefused(differences: readonly Difference[]): string | undefined {
  const refused = differences.filter(
    ({ state, kind }) =>
      state !== 'foreign' || !['table', 'index', 'sequence', 'function'].includes(kind),
  );
  return refused.length === 0 ? undefined : describeDifferences(refused);
}

/** What is on tables of vatfx: other programs may have tables, views and triggers of their own beside them. */
export function onOwnTables(differences: readonly Difference[]): readonly Difference[] {
  return differences.filter(({ isOnOwn }) => isOnOwn);
}

/** Throws them as a message for the operator, if there are any. */
export function requireOwnObjects(differences: readonly Difference[], source: string): void {
  const refused = describeRefused(differences);
  if (refused === undefined) return;
  throw new Error(
    `database: ${source} has other objects than vatfx makes: ${refused}; nothing was changed (${objectsPage})`,
  );
}

/** Where an operator reads what to do. */
export const objectsPage = 'docs/operating.md, Objects of the database';

/** Names objects for an operator, at most ten: `trigger key_use.undo (not of vatfx)`. */
export function describeDifferences(differences: readonly Difference[]): string {
  const shown = differences
    .slice(0, 10)
    .map(({ name, state }) => `${quote(name)} (${words[state]})`);
  const left = differences.length - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join(', ');
}

const words = { foreign: 'not of vatfx', changed: 'changed', missing: 'missing' } as const;
