import { readFileSync } from 'node:fs';
import { format, type FormatOptions } from 'oxfmt';
import type { ApiTypes } from './read-types.ts';
import { isDecimal, listNested, type Schemas } from './schema.ts';
import { TypePrinter } from './type-printer.ts';

const made = '// Made from openapi.json by npm run generate.\n\n';

/** Prints the types of the client, which keeps numbers that are not whole as text. */
export async function printClientTypes({ types, parts }: ApiTypes): Promise<string> {
  const start = "import type { Decimal } from './exact-json.ts';\n\n";
  return layOut(start + printAll(new TypePrinter('Decimal', parts), types));
}

/** Prints the types of the console, which parses all numbers to numbers. */
export async function printConsoleTypes({ types, parts }: ApiTypes): Promise<string> {
  return layOut(printAll(new TypePrinter('number', parts), types));
}

/** Prints the names of the fields of answers that are whole numbers. Throws if a name also stands for another number. */
export async function printWholeNumbers({ types }: ApiTypes): Promise<string> {
  const answers = Object.values(types).filter((one) => one.additionalProperties !== false);
  const fields = answers.flatMap((one) => [...listNested(one)]);
  const whole = fields.flatMap(([name, { type }]) =>
    [type].flat().includes('integer') ? [name] : [],
  );
  const both = fields.find(([name, one]) => isDecimal(one) && whole.includes(name));
  if (both !== undefined)
    throw new Error(`${both[0]} is a whole number in one answer and a decimal in another`);
  return layOut(`
    /** The fields of answers that are whole numbers. All other numbers are decimals. */
    export const wholeNumbers: ReadonlySet<string> = new Set(${JSON.stringify([...new Set(whole)].toSorted())});
  `);
}

function printAll(printer: TypePrinter, types: Schemas): string {
  return Object.entries(types)
    .map(([name, schema]) => printer.printType(name, schema))
    .join('\n');
}

async function layOut(text: string): Promise<string> {
  const options = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatOptions;
  const { code, errors } = await format('types.ts', made + text, options);
  if (errors.length > 0) throw new Error(`the types cannot be read: ${errors[0]?.message}`);
  return code;
}
