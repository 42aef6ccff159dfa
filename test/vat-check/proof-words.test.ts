import { describe, expect, it } from 'vitest';
import { describeAnswer } from '../../src/cli/checks/described-lines.ts';
import { absentInWords } from '../../src/vat-check/registries/absent-words.ts';
import { readReceivedReply } from '../../src/vat-check/stored/evidence/read-exchange.ts';
import { type Trader, traderFields } from '../../src/vat-check/numbers/trader.ts';
import type { RegistryCode } from '../../src/vat-check/numbers/vat-number.ts';
import { explainUncompared, matchInWords } from '../../web/src/check/check-words.ts';
import type { StoredCheck } from '../../web/src/wire.ts';
import { answeredCheck } from './support/made-evidence.ts';
import { approxText, type ApproxTexts } from './support/vies-texts.ts';

const register = { name: 'ACME GMBH', street: 'Hauptweg 1', postcode: '1010', city: 'Wien' };
const unsent = { name: null, street: null, postcode: null, city: null, companyType: null };

const states = 'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK';
/** Member States that never disclose; Spain sends back what it received. */
const silent = ['DE', 'ES'];
/** The comparison of each field that was sent, as an answer has it, the console and the command say it. */
const comparisons = [
  ['1', 'matches', 'valid'],
  ['2', 'does not match', 'invalid'],
  ['3', 'not compared', 'not processed'],
  [undefined, 'not compared', 'not processed'],
  ['x', 'the comparison cannot be read', 'cannot be read'],
] as const;

/** The elements of an answer of a Member State in which each field that was sent has this code. */
function toTexts(state: string, sent: Trader, code: string | undefined): ApproxTexts {
  const nameOf = (field: string) => `trader${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  const fields = traderFields.filter((field) => sent[field] !== undefined);
  const echo = state === 'ES' ? fields.map((field) => [nameOf(field), sent[field]]) : [];
  const matches = code === undefined ? [] : fields.map((field) => [`${nameOf(field)}Match`, code]);
  const told = silent.includes(state)
    ? { traderName: '---', traderAddress: '---' }
    : { traderName: register.name, traderAddress: 'Hauptweg 1\n1010 Wien' };
  return { ...told, ...Object.fromEntries([...echo, ...matches]) };
}

/** What the console and `evidence verify` say about the answer to a query with this trader. */
async function sayAll(state: string, sent: Trader, code: string | undefined) {
  const vatNumber = { registryCode: state as RegistryCode, number: '999999901' };
  const texts = { countryCode: state, vatNumber: '999999901', ...toTexts(state, sent, code) };
  const query = {
    operation: 'checkVatApprox',
    vatNumber,
    requester: undefined,
    trader: sent,
  } as const;
  const reply = await readReceivedReply(
    'vies',
    { url: '', request: new Uint8Array(), response: Buffer.from(approxText(texts)) },
    query,
  );
  if (reply.kind !== 'answered') throw new Error(`the answer is ${reply.kind}`);
  const { answer } = reply;
  const traderMatch = { ...unsent, ...answer.traderMatch };
  const trader = { ...unsent, ...sent };
  const check = { ...answeredCheck, ...answer, trader, traderMatch } as StoredCheck;
  return {
    answer,
    lines: describeAnswer(answer, sent).map((line) => line.join(': ')),
    matches: traderFields.filter((one) => one in sent).map((one) => matchInWords(traderMatch[one])),
    uncompared: explainUncompared(check),
  };
}

describe.each(states.split(' '))('the words of a proof of %s (rules K7, K16 and K17)', (state) => {
  it.each<[what: string, sent: Trader, isName: boolean, isAddress: boolean]>([
    ['nothing', {}, false, false],
    ['the right name', { name: register.name }, true, false],
    ['another name', { name: 'Other AG' }, true, false],
    ['name and address', register, true, true],
    ['only a city', { city: 'Wien' }, false, true],
    ['only a company type', { companyType: 'AT-1' }, false, false],
  ])('are true of an answer to %s', async (_, sent, isName, isAddress) => {
    for (const [code, inConsole, onLine] of comparisons) {
      const { answer, lines, matches, uncompared } = await sayAll(state, sent, code);

      const absentName = isName ? 'not disclosed, or only as it was sent' : 'not disclosed';
      const absentAddress = isAddress ? 'not disclosed, or only as it was sent' : 'not disclosed';
      expect([absentInWords('name', sent), absentInWords('address', sent)]).toEqual([
        absentName,
        absentAddress,
      ]);
      expect(lines).toContain(`- name: ${quoteOr(answer.name, absentName)}`);
      expect(lines).toContain(`- address: ${quoteOr(answer.address, absentAddress)}`);
      // Nothing is said to be not disclosed that the answer discloses.
      const isWithheld = answer.name === null && absentName === 'not disclosed';
      expect(isWithheld && !silent.includes(state)).toBe(false);
      expect(matches).toEqual(Object.keys(sent).map(() => inConsole));
      expect(lines.filter((line) => line.startsWith('- match'))).toEqual(
        traderFields.filter((one) => one in sent).map((one) => `- match: ${one}: ${onLine}`),
      );
      const mayBeCompared = (isName || isAddress) && inConsole !== 'not compared';
      expect(uncompared === undefined).toBe(mayBeCompared);
    }
  });
});

function quoteOr(text: string | null, absent: string): string {
  return text === null ? absent : JSON.stringify(text);
}
