const soap = 'http://schemas.xmlsoap.org/soap/envelope/';
const types = 'urn:ec.europa.eu:taxud:vies:services:checkVat:types';

const plain = {
  countryCode: '',
  vatNumber: '',
  requestDate: '2026-11-20+01:00',
  valid: 'true',
  name: 'Erfundene Backwaren GmbH',
  address: 'Erfindergasse 1\nAT-1010 Wien',
};

/** An answer of the registry, for the number of the query by default; texts are XML, null leaves an element out. */
export function answerText(
  fields: Partial<Record<keyof typeof plain, string | null>> = {},
): string {
  const elements = Object.entries({ ...plain, ...fields })
    .filter(([, text]) => text !== null)
    .map(([name, text]) => `<ns2:${name}>${text}</ns2:${name}>`);
  return envelope(
    `<ns2:checkVatResponse xmlns:ns2="${types}">${elements.join('')}</ns2:checkVatResponse>`,
  );
}

const plainApprox = {
  countryCode: '',
  vatNumber: '',
  requestDate: '2026-11-20+01:00',
  valid: 'true',
  traderName: 'Erfundene Backwaren GmbH',
  traderCompanyType: '---',
  traderAddress: 'Erfindergasse 1\nAT-1010 Wien',
  traderStreet: null,
  traderPostcode: null,
  traderCity: null,
  traderNameMatch: null,
  traderCompanyTypeMatch: null,
  traderStreetMatch: null,
  traderPostcodeMatch: null,
  traderCityMatch: null,
  requestIdentifier: 'WAPIAAAAZNgfuVoL',
};

export type ApproxTexts = Partial<Record<keyof typeof plainApprox, string | null>>;

/** The same for `checkVatApprox`, by default an answer for a requester without data of a trader. */
export function approxText(fields: ApproxTexts = {}): string {
  const elements = Object.entries({ ...plainApprox, ...fields })
    .filter(([, text]) => text !== null)
    .map(([name, text]) => `<ns2:${name}>${text}</ns2:${name}>`);
  return envelope(
    `<ns2:checkVatApproxResponse xmlns:ns2="${types}">${elements.join('')}</ns2:checkVatApproxResponse>`,
  );
}

/** The fault of the registry with this text, which is XML. */
export function faultText(text: string): string {
  return envelope(
    '<env:Fault><faultcode>env:Server</faultcode>' +
      `<faultstring>${text}</faultstring></env:Fault>`,
  );
}

/** An envelope in the form that the registry uses since August 2022. */
export function envelope(content: string): string {
  return `<env:Envelope xmlns:env="${soap}"><env:Header/><env:Body>${content}</env:Body></env:Envelope>`;
}

/** Every fault code that the registry has sent or documents. */
export const knownCodes = [
  'INVALID_INPUT',
  'INVALID_REQUESTER_INFO',
  'SERVICE_UNAVAILABLE',
  'MS_UNAVAILABLE',
  'TIMEOUT',
  'VAT_BLOCKED',
  'IP_BLOCKED',
  'GLOBAL_MAX_CONCURRENT_REQ',
  'GLOBAL_MAX_CONCURRENT_REQ_TIME',
  'MS_MAX_CONCURRENT_REQ',
  'MS_MAX_CONCURRENT_REQ_TIME',
  'SERVER_BUSY',
] as const;
