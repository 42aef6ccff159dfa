import { absentInWords } from '../../vat-check/registries/absent-words.ts';
import { type TraderField, traderFields } from '../../vat-check/numbers/trader.ts';

/** A line for a person. */
export type Line = readonly [name: string, text: string];

/** An answer of the registry; null or undefined for a field that it does not have. */
type DescribedAnswer = {
  readonly valid: boolean | null;
  readonly requestDate: string | null;
  readonly name: string | null;
  readonly address: string | null;
  readonly consultationNumber?: string | null | undefined;
  readonly traderMatch?: { readonly [F in TraderField]?: string | null } | null | undefined;
};

/** A trader as it was sent; null or undefined for a field that was not. */
type SentTrader = { readonly [F in TraderField]?: string | null } | null;

/** Prints lines with their names in a column. */
export function printLines(lines: readonly Line[]): string {
  return lines.map(([name, text]) => `${name.padEnd(13)}${escapeControls(text)}`).join('\n');
}

/** The lines of an answer to a query with a trader; `moment` follows the first one. */
export function describeAnswer(
  answer: DescribedAnswer,
  trader: SentTrader,
  moment = '',
): readonly Line[] {
  const { name, address, traderMatch } = answer;
  return [
    ['answer', `valid: ${answer.valid}, on ${answer.requestDate}${moment}`],
    ['- name', name === null ? absentInWords('name', trader) : JSON.stringify(name)],
    ['- address', address === null ? absentInWords('address', trader) : JSON.stringify(address)],
    ['- number', `consultation number ${answer.consultationNumber ?? 'not issued'}`],
    ...sentFields(trader).map((field): Line => [
      '- match',
      `${field}: ${traderMatch?.[field] ?? 'cannot be read'}`,
    ]),
  ];
}

/** The lines of a trader: its fields as they were sent. */
export function describeTrader(trader: SentTrader): readonly Line[] {
  return sentFields(trader).map((field) => [
    `- ${field}`,
    `${JSON.stringify(trader?.[field])}, as sent`,
  ]);
}

function sentFields(trader: SentTrader): readonly TraderField[] {
  return traderFields.filter((field) => (trader?.[field] ?? null) !== null);
}

/** Escapes characters of a file or an answer that could control the terminal or change the direction of a line. */
export function escapeControls(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
