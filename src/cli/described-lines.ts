import { type Trader, type TraderField, traderFields } from '../vat-check/trader.ts';

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

/** Prints lines with their names in a column. */
export function printLines(lines: readonly Line[]): string {
  return lines.map(([name, text]) => `${name.padEnd(13)}${escapeControls(text)}`).join('\n');
}

/** The lines of an answer; `moment` follows the first one. */
export function describeAnswer(answer: DescribedAnswer, moment = ''): readonly Line[] {
  const { traderMatch } = answer;
  const matches = traderFields.filter((field) => (traderMatch?.[field] ?? null) !== null);
  return [
    ['answer', `valid: ${answer.valid}, on ${answer.requestDate}${moment}`],
    ['- name', quote(answer.name)],
    ['- address', quote(answer.address)],
    ['- number', `consultation number ${answer.consultationNumber ?? 'not issued'}`],
    ...matches.map((field): Line => ['- match', `${field}: ${traderMatch?.[field]}`]),
  ];
}

/** The lines of a trader: its fields as they were sent. */
export function describeTrader(
  trader: Trader | { readonly [F in TraderField]: string | null } | null,
): readonly Line[] {
  const sent = traderFields.filter((field) => (trader?.[field] ?? null) !== null);
  return sent.map((field) => [`- ${field}`, `${quote(trader?.[field] ?? null)}, as sent`]);
}

function quote(text: string | null): string {
  return text === null ? 'not disclosed' : JSON.stringify(text);
}

/** Escapes characters of a file or an answer that could control the terminal or change the direction of a line. */
export function escapeControls(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
