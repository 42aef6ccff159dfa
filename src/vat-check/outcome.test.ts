import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Outcome, readApproxFault, readDisclosed, readFault } from './outcome.ts';

const unknown: Outcome = { kind: 'failed', failure: 'unknownCode' };

const outcomes: readonly (readonly [code: string, outcome: Outcome])[] = [
  ['INVALID_INPUT', { kind: 'rejected' }],
  ['MS_UNAVAILABLE', { kind: 'memberStateUnavailable', because: 'down' }],
  ['MS_MAX_CONCURRENT_REQ', { kind: 'memberStateUnavailable', because: 'throttled' }],
  ['MS_MAX_CONCURRENT_REQ_TIME', { kind: 'memberStateUnavailable', because: 'throttled' }],
  ['SERVICE_UNAVAILABLE', { kind: 'serviceUnavailable', because: 'down' }],
  ['SERVER_BUSY', { kind: 'serviceUnavailable', because: 'throttled' }],
  ['GLOBAL_MAX_CONCURRENT_REQ', { kind: 'serviceUnavailable', because: 'throttled' }],
  ['GLOBAL_MAX_CONCURRENT_REQ_TIME', { kind: 'serviceUnavailable', because: 'throttled' }],
  ['TIMEOUT', { kind: 'timedOut' }],
  ['IP_BLOCKED', { kind: 'failed', failure: 'blocked' }],
  ['VAT_BLOCKED', { kind: 'failed', failure: 'numberBlocked' }],
  ['INVALID_REQUESTER_INFO', unknown],
];

describe('the text of a fault (contract C22)', () => {
  it.each(outcomes)('%s is known by itself', (code, outcome) => {
    expect(readFault(code)).toEqual(outcome);
  });

  it.each(outcomes)('%s is known with a sentence behind it', (code, outcome) => {
    const sentence = `${code}: Your Request for VAT validation has not been processed; INVALID_INPUT`;

    expect(readFault(sentence)).toEqual(outcome);
  });

  it.each(outcomes)('%s is known in the braces of older answers', (code, outcome) => {
    expect(readFault(`{ '${code}' }`)).toEqual(outcome);
  });

  it.each([
    ['nothing', ''],
    ['blanks', ' \n '],
    ['a verdict', 'INVALID'],
    ['another verdict', 'VALID'],
    ['a boolean', 'false'],
    ['a code in lower case', 'invalid_input'],
    ['a code that goes on', 'INVALID_INPUTS'],
    ['a code with a number', 'INVALID_INPUT_2'],
    ['a code with a number right behind it', 'MS_UNAVAILABLE2'],
    ['a code with something in front', 'XINVALID_INPUT'],
    ['a code with an underscore in front', '_INVALID_INPUT'],
    ['a code with a number in front', '7INVALID_INPUT'],
    ['a code behind a word', 'env:Server INVALID_INPUT'],
    ['the beginning of a code', 'INVALID_'],
    ['a code of the other interface', 'VOW-ERR-2600'],
    ['words of the SOAP layer', 'Error reading XMLStreamReader.'],
    ['a sentence about the action', 'The given SOAPAction x does not match an operation.'],
    ['a property of every object', 'constructor'],
    ['a property of every object, in capitals', 'CONSTRUCTOR'],
    ['another property of every object', 'hasOwnProperty'],
    ['the name of its prototype', '__proto__'],
  ])('is not known when it is %s', (_, text) => {
    expect(readFault(text)).toEqual(unknown);
  });

  it('never makes an answer or a rejection of 1,000 unknown codes, whatever their form', () => {
    const known = new Set(outcomes.map(([code]) => code));
    const isUnknown = (code: string): boolean => !known.has(code);
    const made = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,40}$/);
    // A known code with one sign added, removed or replaced anywhere.
    const mistaken = fc
      .tuple(
        fc.constantFrom(...known),
        fc.nat(),
        fc.nat({ max: 1 }),
        fc.constantFrom(' ', '_', 'X', '7'),
      )
      .map(([code, at, cut, sign]) => {
        const place = at % code.length;
        return (code.slice(0, place) + sign + code.slice(place + cut)).trim().split(' ')[0] ?? '';
      });
    const form = fc.constantFrom(
      (code: string) => code,
      (code: string) => `${code}: INVALID_INPUT is what it is not.`,
      (code: string) => `{ '${code}' }`,
    );
    let codes = 0;

    fc.assert(
      fc.property(fc.oneof(made, mistaken).filter(isUnknown), form, (code, inForm) => {
        codes += 1;
        expect(readFault(inForm(code))).toEqual(unknown);
      }),
      { numRuns: 1_000 },
    );

    expect(codes).toBe(1_000);
  });
});

describe('the text of a fault of checkVatApprox (rule K6)', () => {
  it.each([
    ['INVALID_REQUESTER_INFO'],
    ['INVALID_REQUESTER_INFO: the requester is not valid'],
    ["{ 'INVALID_REQUESTER_INFO' }"],
  ])('rejects the requester: %s', (text) => {
    expect(readApproxFault(text)).toEqual({ kind: 'requesterRejected' });
  });

  it.each(outcomes.filter(([code]) => code !== 'INVALID_REQUESTER_INFO'))(
    '%s means the same as with checkVat',
    (code, outcome) => {
      expect(readApproxFault(code)).toEqual(outcome);
    },
  );

  it.each([['INVALID_REQUESTER'], ['INVALID_REQUESTER_INFO_2'], ['invalid_requester_info'], ['']])(
    'is not known when it is %j',
    (text) => {
      expect(readApproxFault(text)).toEqual(unknown);
    },
  );
});

describe('a name or an address (interface 2.4, contract C23)', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['blank', ' \n\t '],
    ['three hyphens', '---'],
    ['three hyphens between blanks', ' ---\n'],
  ])('is withheld when it is %s', (_, text) => {
    expect(readDisclosed(text)).toBeNull();
  });

  it.each([
    ['as it is', 'Duhová 1444/2', 'Duhová 1444/2'],
    ['with its line breaks and double blanks', 'A 1\nB 2\n140 00  C', 'A 1\nB 2\n140 00  C'],
    [
      'without blank edges',
      '\nVIA NAZIONALE 91 \n00184 ROMA RM\n',
      'VIA NAZIONALE 91 \n00184 ROMA RM',
    ],
    ['also when it is hyphens of another number', '--', '--'],
    ['also when three hyphens are a part of it', '--- Ltd', '--- Ltd'],
  ])('is kept %s', (_, text, disclosed) => {
    expect(readDisclosed(text)).toBe(disclosed);
  });
});
