import { soapNamespace } from '../../../platform/upstream/soap.ts';
import { traderFields } from '../../numbers/trader.ts';
import type { Question } from '../registry.ts';
import { traderElement, typesNamespace } from './document.ts';

/** VIES answers any other action with a fault. */
export const soapAction = '""';

type Element = readonly [name: string, text: string | undefined];

/** Prints a `checkVat` request. */
export function printCheckVat(of: {
  readonly registryCode: string;
  readonly number: string;
}): string {
  return printMessage('checkVat', queried(of));
}

/**
 * Prints a `checkVatApprox` request, its elements in the order of the WSDL.
 *
 * Elements without a text are left out: an empty company type would be against the schema.
 */
export function printCheckVatApprox({ vatNumber, requester, trader }: Question): string {
  return printMessage('checkVatApprox', [
    ...queried(vatNumber),
    ...traderFields.map((field): Element => [traderElement(field), trader[field]]),
    ['requesterCountryCode', requester?.registryCode],
    ['requesterVatNumber', requester?.number],
  ]);
}

function queried(of: { readonly registryCode: string; readonly number: string }): Element[] {
  return [
    ['countryCode', of.registryCode],
    ['vatNumber', of.number],
  ];
}

function printMessage(operation: string, elements: readonly Element[]): string {
  const printed = elements.map(([name, text]) =>
    text === undefined ? '' : `<v:${name}>${escapeXml(text)}</v:${name}>`,
  );
  return (
    `<soap:Envelope xmlns:soap="${soapNamespace}" xmlns:v="${typesNamespace}"><soap:Body>` +
    `<v:${operation}>${printed.join('')}</v:${operation}></soap:Body></soap:Envelope>`
  );
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
