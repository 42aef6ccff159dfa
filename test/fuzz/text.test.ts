import { noDefaults } from '../../src/vat-check/stored/requests/check-request.ts';
import { describe, expect, it } from 'vitest';
import { readFileBatch } from '../../src/cli/checks/read-file.ts';
import { CommandFailure } from '../../src/cli/command/report.ts';
import { decode, encode, findBroken } from '../../src/vat-check/reading/encodings.ts';
import type { Evidence } from '../../src/vat-check/stored/evidence/evidence.ts';
import type { PrintedCheck } from '../../src/vat-check/stored/print-check.ts';
import { openFile } from '../../web/src/check/opened-file.ts';
import { makeFile, type MadeFile, mutate, names } from '../reading/made-files.ts';
import { Dice } from '../support/dice.ts';
import { countOf, reportFigure, seedOf } from '../support/proof.ts';
import { shareService, type TestService } from '../support/start-service.ts';
import { sendToChecks } from '../vat-check/support/stored-checks-api.ts';

const count = countOf({ full: 1_000, perCommit: 60 });
const seed = seedOf(20_261_129);
/** A full run takes a minute, on a busy machine ten. */
const timeout = countOf({ full: 1_800_000, perCommit: 300_000 });

/** The bytes of a body, its text as its sender wrote it, and the type that is declared. */
function makeBody(dice: Dice): MadeFile & { readonly type: string } {
  const encoding = dice.happens(0.6)
    ? 'utf-8'
    : dice.pick(Object.keys(names) as MadeFile['encoding'][]);
  const name = dice.pick(names[encoding]);
  const check = {
    countryCode: 'AT',
    vatNumber: 'U99999901',
    trader: {
      name: `${name} ${dice.pick(['& Söhne', '<b>', 'GmbH'])}`,
      city: dice.pick(names[encoding]),
    },
    reference: `${name} ${dice.below(1e9)}`,
  };
  const text = JSON.stringify(check);
  const written = encode(text, encoding) === undefined ? 'utf-8' : encoding;
  const bytes = encode(text, written) ?? new Uint8Array();
  const isMarked = written === 'utf-16' || dice.happens(0.3);
  const body = {
    bytes: written === 'utf-8' && !isMarked ? bytes.subarray(3) : bytes,
    encoding: written,
    declared: dice.happens(0.5) ? written : undefined,
  };
  const { declared } = body;
  const type = `application/json${declared === undefined ? '' : `; charset=${declared}`}`;
  return { ...mutate(body, dice), type };
}

/** The JSON of a body by RFC 8259 and WHATWG: UTF-8 alone, perhaps behind a byte order mark; undefined for anything else. */
function readStrictly({ bytes, declared }: MadeFile): PrintedCheck | undefined {
  if (declared !== undefined && declared !== 'utf-8') return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as PrintedCheck;
  } catch {
    return undefined;
  }
}

/** Makes attempts until no check waits for one. */
async function answerAll(service: TestService): Promise<void> {
  while ((await listChecks(service, 'status=pending&limit=1')).length > 0) {
    service.passTime(1_000);
    await service.attemptDueChecks();
  }
}

async function listChecks(service: TestService, query: string): Promise<readonly PrintedCheck[]> {
  const { text } = await sendToChecks(service, 'GET', `?${query}`);
  return (JSON.parse(text) as { readonly checks: readonly PrintedCheck[] }).checks;
}

/** What is wrong with the signed evidence of an answered check, and with what was sent to VIES; empty if nothing is. */
async function judgeSigned(service: TestService, check: PrintedCheck): Promise<readonly string[]> {
  const { text } = await sendToChecks(service, 'GET', `/${check.id}/evidence`);
  const { request, manifest } = JSON.parse(text) as Evidence;
  const read = (base64: string): string =>
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  const sent = read(request);
  const elementOf = (name: string): string | null => {
    const [, written] = new RegExp(`<v:${name}>([^<]*)<`).exec(sent) ?? [];
    const bare = written?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    return bare ?? null;
  };
  const { check: signed } = JSON.parse(read(manifest)) as { readonly check: PrintedCheck };
  const { name = null, city = null } = check.trader ?? {};
  return [
    ...(elementOf('traderName') === name && elementOf('traderCity') === city ? [] : [sent]),
    ...(String(textsOf(signed)) === String(textsOf(check)) ? [] : [read(manifest)]),
  ];
}

const textsOf = ({ trader, reference }: PrintedCheck): readonly string[] => [
  trader?.name ?? '',
  trader?.city ?? '',
  reference ?? '',
];

/** A cell without what the reader of tables takes off: quotes, blanks at line ends, formulas. */
const plain = (text: string): string => text.replaceAll(/["=\s']/g, '');

describe('texts of traders and references (rules K4, K12, reliability R42)', () => {
  const unlimited = {
    rateLimitPerMinute: 'none',
    quotaPerMonth: 'none',
    viesCallsPerDay: 'none',
  } as const;
  const service = shareService({ config: unlimited });

  it(
    `of ${count} bodies are stored, sent and signed as written, or refused`,
    { timeout },
    async () => {
      const wrong: string[] = [];
      const counts = { stored: 0, signed: 0, refused: 0 };
      for (let at = 0; at < count; at += 1) {
        const body = makeBody(new Dice(seed + at));
        const headers = { 'content-type': body.type };
        const { status, text } = await sendToChecks(service(), 'POST', '', {
          body: body.bytes,
          headers,
        });
        const written = readStrictly(body);
        if (status >= 400) {
          counts.refused += 1;
          // A text that is JSON may still have a field, a number or a character that is refused.
          const isUnread = status === 415 || text === '{"error":"invalid JSON body"}';
          if (isUnread !== (written === undefined)) wrong.push(`${at}: ${status} ${text}`);
          continue;
        }
        const check = JSON.parse(text) as PrintedCheck;
        counts.stored += 1;
        if (written === undefined || String(textsOf(check)) !== String(textsOf(written))) {
          wrong.push(`${at}: ${text}`);
        }
        if (check.status !== 'answered') continue;
        counts.signed += 1;
        wrong.push(...(await judgeSigned(service(), check)));
      }

      reportFigure(
        'R42',
        `${count} bodies (seed ${seed}): ${counts.stored} stored, ${counts.signed} of them asked and signed, ${counts.refused} refused, ${wrong.length} with a character that its sender did not write`,
      );
      expect(wrong).toEqual([]);
      expect(Math.min(...Object.values(counts))).toBeGreaterThan(count / 20);
    },
  );

  it(
    `of ${count} files are stored, sent and signed as written, or named`,
    { timeout },
    async () => {
      const wrong: string[] = [];
      const counts = { stored: 0, left: 0, refused: 0 };
      const answered: PrintedCheck[] = [];
      for (let at = 0; at < count; at += 1) {
        const dice = new Dice(seed + at);
        const file = mutate(makeFile(dice, { isOfService: true }), dice);
        const written = plain(decode(file.bytes, file.encoding));
        const isForeign = (text: string): boolean =>
          findBroken([text]) !== -1 || !written.includes(plain(text));
        const type = `text/csv${file.declared === undefined ? '' : `; charset=${file.declared}`}`;
        const of = { body: file.bytes, headers: { 'content-type': type } };
        const { status, text } = await sendToChecks(service(), 'POST', '/batch', of);
        if (status >= 400) {
          counts.refused += 1;
          continue;
        }
        const batch = JSON.parse(text) as { batchId: string; skippedCount: number };
        counts.left += batch.skippedCount;
        await answerAll(service());
        const checks = await listChecks(service(), `batchId=${batch.batchId}`);
        counts.stored += checks.length;
        wrong.push(
          ...checks
            .flatMap(textsOf)
            .filter(isForeign)
            .map((one) => `${at}: ${one}`),
        );
        answered.push(...checks.filter((check) => check.status === 'answered'));
      }
      for (const check of answered) wrong.push(...(await judgeSigned(service(), check)));

      reportFigure(
        'R42',
        `${count} files (seed ${seed}): ${counts.stored} rows stored, ${answered.length} of them asked and signed, ${counts.left} left out and named, ${counts.refused} files refused, ${wrong.length} with a character that their sender did not write`,
      );
      expect(wrong).toEqual([]);
      expect(Math.min(counts.stored, answered.length, counts.left)).toBeGreaterThan(count / 20);
    },
  );

  it(
    `of ${count} files are read otherwise only if command and console say so`,
    { timeout },
    async () => {
      const wrong: string[] = [];
      const counts = { guessed: 0, known: 0 };
      for (let at = 0; at < count; at += 1) {
        const dice = new Dice(seed + at);
        const file = mutate(makeFile(dice, { isOfService: false }), dice);
        const { text, isGuess } = openFile(file.bytes, file.declared);
        const from = { file: 'f', defaults: noDefaults, column: undefined, charset: file.declared };
        const read = await readFileBatch(file.bytes, from).catch((error: unknown) => {
          if (error instanceof CommandFailure) return undefined;
          throw error;
        });
        const said = read?.guesses.some((guess) => guess.startsWith('the encoding is not known'));
        const isRight = isGuess || text === decode(file.bytes, file.encoding);
        counts[isGuess ? 'guessed' : 'known'] += 1;
        if (!isRight || (said ?? isGuess) !== isGuess) wrong.push(`${at}: ${text}`);
      }

      reportFigure(
        'R42',
        `${count} files (seed ${seed}) by command and console: ${counts.guessed} guesses, ${wrong.length} of them not named`,
      );
      expect(wrong).toEqual([]);
      expect(Math.min(...Object.values(counts))).toBeGreaterThan(count / 20);
    },
  );
});
