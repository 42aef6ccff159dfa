import type { Core } from '../../composition/core.ts';
import { dataSets } from '../../composition/data-sets.ts';
import type { HeldDifference } from '../../platform/publication/held-difference.ts';
import { type Prospect, readProspect } from '../../platform/publication/held-prospect.ts';
import type { HeldSnapshot } from '../../platform/publication/held-store.ts';
import type { OutputStream } from '../command/io.ts';
import { formatTable, widthOf } from '../command/table.ts';

/** Rows of a list that are shown to a person: more than any real list has. */
const rowsShown = 500;

/** A held snapshot as the operator sees it before the decision. */
export type ExaminedHeld = {
  readonly held: HeldSnapshot;
  readonly difference: HeldDifference;
  readonly prospect: Prospect;
};

export async function examineHeld(
  { db, clock }: Pick<Core, 'db' | 'clock'>,
  held: HeldSnapshot,
): Promise<ExaminedHeld> {
  const dataSet = dataSets[held.kind];
  return {
    held,
    difference: await dataSet.compareHeld(db, held),
    prospect: await readProspect(db, dataSet, { version: held.version, nowMs: clock.now() }),
  };
}

/** The document of an examined snapshot: its lists are those of its kind. */
export function toDocument({ held, difference, prospect }: ExaminedHeld): object {
  const { id, kind, version, reasons, heldAt } = held;
  const { comparedWith, vanishes, notices, lists } = difference;
  const { askedAgainAt } = prospect;
  return {
    id,
    kind,
    version,
    reasons,
    heldAt,
    askedAgainAt,
    comparedWith,
    vanishes,
    notices,
    ...lists,
  };
}

/** The same for a person: what vanishes and appears comes first, then a table for each list that has rows. */
export function describeHeld({ held, difference }: ExaminedHeld, stdout: OutputStream): string {
  const { comparedWith, vanishes, notices, lists } = difference;
  const tables = Object.entries(lists).flatMap(([name, rows]) => {
    const cells = rows
      .slice(0, rowsShown)
      .map((row) =>
        Object.fromEntries(Object.entries(row).map(([title, value]) => [title, toCell(value)])),
      );
    if (rows.length === 0) return [];
    const left = rows.length - cells.length;
    const more = left === 0 ? '' : `\n${left} more; --json has all`;
    return [`${name}:\n${formatTable({ rows: cells, empty: '' }, widthOf(stdout))}${more}`];
  });
  const compared =
    comparedWith === null ? [] : [`compared with ${comparedWith}, the newest stored day`];
  const parts = [
    [
      `${held.kind} ${held.version}, held as ${held.id}`,
      `held because: ${held.reasons.join('; ')}`,
      ...compared,
    ],
    [...vanishes, ...notices].map((sentence) => `- ${sentence}`),
    tables.length === 0 ? ['no value differs'] : [tables.join('\n\n')],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** A list that is empty, and a value that is missing, are `-` in a table. */
function toCell(value: string | number | null | readonly string[]): string | number | null {
  if (typeof value !== 'object' || value === null) return value;
  return value.length === 0 ? null : value.join(', ');
}
