import { randomInt } from 'node:crypto';
import type { Trader } from '../data/traders.ts';
import type { Matching } from '../scenario/vies-script.ts';
import type { ViesState } from '../scenario/vies-state.ts';
import { findTrader, hasPossibleLength, isTestNumber } from './registry.ts';
import {
  printDay,
  type ResponseTexts,
  type SentTrader,
  traderFields,
  type ViesCheck,
} from './xml.ts';

/** A request of the operation checkVatApprox. */
export type ApproxCheck = Extract<ViesCheck, { operation: 'checkVatApprox' }>;

/** The codes of a comparison. */
const match = { valid: '1', invalid: '2', notProcessed: '3' } as const;
/** The test service gives every answer this number, without a requester as well. */
const testIdentifier = 'WAPI0000001';
/** Spain sends back the texts that it received; Germany and Czechia compare nothing. */
const usualMatching: Readonly<Record<string, Matching>> = { ES: 'echo', DE: 'none', CZ: 'none' };

/** The answer to a check that VIES and the Member State accept. */
export function answerApprox(vies: ViesState, check: ApproxCheck, at: number): ResponseTexts {
  const key = { country: check.countryCode, number: check.vatNumber };
  const trader = findTrader(vies, key);
  return {
    countryCode: check.countryCode,
    vatNumber: check.vatNumber,
    requestDate: printDay(at),
    valid: String(trader !== undefined),
    ...traderTexts(vies, check, trader),
    requestIdentifier: isTestNumber(vies, key) ? testIdentifier : identify(vies, check, trader),
  };
}

/** Whether VIES refuses the requester, without a query of the Member State of the number. */
export function refusesRequester(
  vies: ViesState,
  { requester: { countryCode: country, vatNumber: number } }: ApproxCheck,
  isAcceptable: boolean,
): boolean {
  if (country === '' && number === '') return false;
  const isUnknown = findTrader(vies, { country, number }) === undefined;
  return !isAcceptable || number === '202' || (isUnknown && vies.unknownRequester === 'fault');
}

function traderTexts(
  vies: ViesState,
  { countryCode, vatNumber, trader: sent }: ApproxCheck,
  trader: Trader | undefined,
): ResponseTexts {
  const undisclosed = { traderName: '---', traderCompanyType: '---', traderAddress: '---' };
  if (trader === undefined) return undisclosed;
  const { name, address } = trader;
  const told = { ...undisclosed, traderName: name, traderAddress: address };
  if (isTestNumber(vies, { country: countryCode, number: vatNumber })) {
    return { ...told, traderCompanyType: '000', ...matchTexts(() => match.valid) };
  }
  if (Object.values(sent).every((text) => text === '')) return told;
  switch (vies.matching[countryCode] ?? usualMatching[countryCode] ?? 'register') {
    case 'none':
      return { ...told, ...matchTexts(() => match.notProcessed) };
    case 'register':
      return { ...told, ...matchTexts((field) => compare(field, sent[field], trader)) };
    case 'echo':
      return {
        traderName: sent.Name,
        traderCompanyType: sent.CompanyType,
        traderStreet: sent.Street,
        traderPostcode: sent.Postcode,
        traderCity: sent.City,
        ...matchTexts((field) => compare(field, sent[field], trader)),
      };
  }
}

function matchTexts(codeOf: (field: keyof SentTrader) => string): ResponseTexts {
  return Object.fromEntries(traderFields.map((field) => [`trader${field}Match`, codeOf(field)]));
}

/** Compares letters and digits: the name with the whole name, a part of the address with the whole address. */
function compare(field: keyof SentTrader, sent: string, trader: Trader): string {
  const { name, address } = trader.held ?? trader;
  const held = lettersAndDigits(field === 'Name' ? name : address);
  const compared = lettersAndDigits(sent);
  if (field === 'CompanyType' || compared === '' || held === '') return match.notProcessed;
  const isSame = field === 'Name' ? held === compared : held.includes(compared);
  return isSame ? match.valid : match.invalid;
}

function lettersAndDigits(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The consultation number: empty without a requester, and for a number that no Member State is queried for. */
function identify(vies: ViesState, check: ApproxCheck, trader: Trader | undefined): string {
  const { requester } = check;
  const isUnknown =
    findTrader(vies, { country: requester.countryCode, number: requester.vatNumber }) === undefined;
  const isPossible =
    trader !== undefined ||
    hasPossibleLength({ country: check.countryCode, number: check.vatNumber });
  const isEmpty =
    requester.vatNumber === '' || (isUnknown && vies.unknownRequester === 'empty') || !isPossible;
  return isEmpty ? '' : `WAPI${Array.from({ length: 12 }, anySign).join('')}`;
}

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function anySign(): string {
  return signs.charAt(randomInt(signs.length));
}
