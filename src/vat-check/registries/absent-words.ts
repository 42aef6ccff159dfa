import type { TraderField } from '../numbers/trader.ts';

/** The fields of a trader that say its name and its address. */
const fieldsOf = {
  name: ['name'],
  address: ['street', 'postcode', 'city'],
} as const satisfies Readonly<Record<string, readonly TraderField[]>>;

/** The fields that say the name and address of a trader: those that the law wants confirmed. */
export const nameAndAddress: readonly TraderField[] = [...fieldsOf.name, ...fieldsOf.address];

/**
 * What a proof says in place of a name or an address that an answer does not have. Some Member States send back what was
 * sent, which is null as well (rule K7): then nobody knows whether it is also what the register has.
 */
export function absentInWords(
  what: keyof typeof fieldsOf,
  sent: { readonly [F in TraderField]?: string | null } | null,
): string {
  const isSent = fieldsOf[what].some((field) => (sent?.[field] ?? null) !== null);
  return isSent ? 'not disclosed, or only as it was sent' : 'not disclosed';
}
