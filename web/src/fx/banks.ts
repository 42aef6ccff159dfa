import type { LawBank } from '../../../src/fx/law/national-rules.ts';
import { type BankName, bankNames } from '../../../src/platform/publication/data-set-kinds.ts';
import type { BankSnapshot, ServiceStatus } from '../wire.ts';

/** The short and the full name of each bank. */
export const bankWords: Readonly<
  Record<LawBank, { readonly short: string; readonly name: string }>
> = {
  ecb: { short: 'ECB', name: 'European Central Bank' },
  nbp: { short: 'NBP', name: 'National Bank of Poland' },
  cnb: { short: 'CNB', name: 'Czech National Bank' },
};

/** The list of a national bank that has other currencies, which the service does not have (rule N7a). */
const otherLists: Readonly<Record<BankName, string>> = {
  nbp: 'table B, once a week',
  cnb: 'rates of other currencies, once a month',
};

/** Where a rate of a currency may be that a publication of a national bank does not have. */
export function explainOtherList(bank: BankName): string {
  return `If the ${bankWords[bank].name} publishes one, it is in its ${otherLists[bank]}.`;
}

/** The national banks whose rates the service has; none if the operator has enabled none. */
export function listBanks(status: ServiceStatus | undefined): readonly BankName[] {
  return bankNames.filter((name) => status?.dataSets[name] !== undefined);
}

/** “100 HUF = 6.304 CZK”: nothing is divided, because a rate of law is a published one. */
export function quoteInWords(
  currency: string,
  { units, rate }: BankSnapshot['rates'][string],
  quote: string,
): string {
  return `${units} ${currency} = ${rate} ${quote}`;
}
