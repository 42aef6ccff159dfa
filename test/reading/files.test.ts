import { noDefaults } from '../../src/vat-check/stored/requests/check-request.ts';
import { describe, expect, it } from 'vitest';
import { readFileBatch } from '../../src/cli/checks/read-file.ts';
import { CommandFailure } from '../../src/cli/command/report.ts';
import { ApiError } from '../../src/platform/http/responses/api-errors.ts';
import { explain } from '../../src/vat-check/reading/explain.ts';
import { readCsv } from '../../src/vat-check/reading/read-csv.ts';
import { findTable } from '../../src/vat-check/reading/read-table.ts';
import { parseVatNumber } from '../../src/vat-check/numbers/vat-number.ts';
import { splitCsvBatch } from '../../src/vat-check/stored/batches/batch-csv.ts';
import {
  type BatchItem,
  readBatch,
  type SkippedRow,
} from '../../src/vat-check/stored/batches/batch.ts';
import { openFile } from '../../web/src/check/opened-file.ts';
import { readWritten } from '../../web/src/check/written.ts';
import { Dice } from '../support/dice.ts';
import { none } from '../support/read-batches.ts';
import { makeFile, type MadeFile, mutate } from './made-files.ts';

/** What a reader says about each line: the number that is queried, or the reason why none is. */
type Lines = ReadonlyMap<number, string>;
/** The error that refuses a file as a whole. */
type Read = Lines | string;

function toLines(
  items: readonly BatchItem[],
  skipped: readonly SkippedRow[],
  all: readonly number[],
) {
  const reasons = new Map(skipped.map(({ line, reason }) => [line, reason]));
  const read = all.filter((line) => !reasons.has(line));
  const said = read.map((line, at) => [line, describeItem(items[at])] as const);
  return new Map([
    ...said,
    ...all.flatMap((line) => {
      const reason = reasons.get(line);
      return reason === undefined ? [] : [[line, reason] as const];
    }),
  ]);
}

/** The service stores a row that can never be queried as rejected; the console names the reason. */
function describeItem(item: BatchItem | undefined): string {
  if (item === undefined) return 'no item';
  if (item.kind === 'check') return `${item.vatNumber.registryCode}${item.vatNumber.number}`;
  return explain(item.echo.vatNumber, item.echo.countryCode, true);
}

async function readInApi({ bytes, declared }: MadeFile): Promise<Read> {
  try {
    const split = splitCsvBatch(bytes, declared);
    if (split.kind === 'tooMany') return split.kind;
    const all = Array.from({ length: split.count }, (_, at) => split.placeOf?.(at).line ?? 0);
    const batch = await readBatch(split, none);
    if (batch.kind !== 'batch') return batch.kind;
    const skipped = batch.skipped.filter(({ reason }) => !reason.startsWith('unknown columns'));
    return toLines(batch.items, skipped, all);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

async function readInCommand({ bytes, declared }: MadeFile): Promise<Read> {
  const from = { file: 'f', defaults: noDefaults, column: undefined, charset: declared };
  try {
    const { items, skipped, own } = await readFileBatch(bytes, from);
    const faults = skipped.filter(({ reason }) => !reason.startsWith('unknown columns'));
    const csv = readCsv(openFile(bytes, declared).text);
    const lines = csv.kind === 'table' ? [csv.columns, ...csv.rows].map(({ line }) => line) : [];
    return toLines(items, faults, lines.slice(-own.rows.length));
  } catch (error) {
    if (error instanceof CommandFailure) return error.message.replace(/^f: /, '');
    throw error;
  }
}

/** Undefined for a file that is no table to the console. */
function readInConsole({ bytes, declared }: MadeFile): Lines | undefined {
  const { text, encoding } = openFile(bytes, declared);
  const table = findTable(text, '');
  if (table === undefined) return undefined;
  const { byLine, unread } = readWritten({ text, country: '', table, encoding });
  const numbers = [...byLine].map(([line, { countryCode, vatNumber }]) => {
    const read = parseVatNumber(countryCode, vatNumber);
    return [line, `${read?.registryCode}${read?.number}`] as const;
  });
  return new Map([...numbers, ...unread.map(({ line, fault }) => [line, fault] as const)]);
}

/** Lines about which two readers say different things. Without a known encoding only the API leaves rows out. */
function differences(one: Lines, other: Lines): readonly string[] {
  return [...one].flatMap(([line, said]) => {
    const isLeftOut = said.startsWith('declare the charset');
    return isLeftOut || other.get(line) === said ? [] : [`${line}: ${said} | ${other.get(line)}`];
  });
}

const seeds = (count: number, first: number) =>
  Array.from({ length: count }, (_, at) => first + at);

describe('a file with mutations in the three readers (rule K12)', () => {
  it('with headings of the service has the same rows with the same reasons', async () => {
    const counts = { rows: 0, refused: 0, leftOut: 0 };
    for (const seed of seeds(700, 1)) {
      const file = mutate(makeFile(new Dice(seed), { isOfService: true }), new Dice(seed));
      const [api, command, browser] = [
        await readInApi(file),
        await readInCommand(file),
        readInConsole(file),
      ];
      if (typeof api === 'string') {
        counts.refused += 1;
        continue;
      }
      const lines = command as Lines;
      counts.rows += api.size;
      counts.leftOut += [...api.values()].filter((said) => said.startsWith('declare')).length;
      const found = {
        lines: [lines.size, browser?.size],
        command: differences(api, lines),
        browser: differences(api, browser ?? new Map()),
      };
      expect({ seed, ...found }).toEqual({
        seed,
        lines: [api.size, api.size],
        command: [],
        browser: [],
      });
    }

    expect(counts.rows).toBeGreaterThan(2_000);
    expect(counts.leftOut).toBeGreaterThan(50);
    expect(counts.refused).toBeLessThan(200);
  });

  it('with headings of its own is the same to command and console, and 400 to the API', async () => {
    let rows = 0;
    for (const seed of seeds(300, 5_001)) {
      const file = mutate(makeFile(new Dice(seed), { isOfService: false }), new Dice(seed));
      const command = await readInCommand(file);
      const browser = readInConsole(file);
      if (browser === undefined || typeof command === 'string') continue;
      rows += command.size;
      const found = { api: await readInApi(file), differ: differences(command, browser) };
      expect({ seed, ...found }).toEqual({
        seed,
        api: expect.stringMatching(/^line \d+: (?:missing column 'vatNumber'|invalid CSV)/),
        differ: [],
      });
    }

    expect(rows).toBeGreaterThan(800);
  });
});
