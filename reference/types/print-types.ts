import { readFileSync } from 'node:fs';
import { format, type FormatOptions } from 'oxfmt';
import type { ApiTypes } from './read-types.ts';
import { isDecimal, listNested, type Schemas } from './schema.ts';
import { TypePrinter } from './type-printer.ts';

const made = '// Made from openapi.json by npm run generate.\n\n';

/** Prints the types of the client, which keeps numbers that are not whole as text. */
export async function printClientTypes({ types, parts }: ApiTypes): Promise<string> {
  const start = "import type { Decimal } from './exact-json.ts';\n\n";
  return layOut(
    start + [...printEach(new TypePrinter('Decimal', parts), types).values()].join('\n'),
  );
}

/**
 * Prints the types of the console, which parses all numbers to numbers: those with a decimal somewhere in them. The others are
 * the types of the client.
 */
export async function printConsoleTypes({ types, parts }: ApiTypes): Promise<string> {
  const ofClient = printEach(new TypePrinter('Decimal', parts), types);
  const ofConsole = printEach(new TypePrinter('number', parts), types);
  const own = new Set(
    [...ofClient].flatMap(([name, text]) => (ofConsole.get(name) === text ? [] : [name])),
  );
  // A type that refers to one of these has a decimal as well. The loop also reaches the names that it adds.
  for (const name of own) {
    for (const [other, text] of ofConsole) if (refersTo(text, name)) own.add(other);
  }
  const shared = [...ofConsole.keys()].filter((name) => !own.has(name));
  const declared = [...own].toSorted().map((name) => ofConsole.get(name) ?? '');
  const used = shared.filter((name) => declared.some((text) => refersTo(text, name)));
  const client = "'../../client/src/api-types.ts'";
  return layOut(
    `import type { ${used.join(', ')} } from ${client};\n\nexport type { ${shared.join(', ')} } from ${client};\n\n` +
      declared.join('\n'),
  );
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

function printEach(printer: TypePrinter, types: Schemas): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(types).map(([name, schema]) => [name, printer.printType(name, schema)]),
  );
}

/** Whether the declaration of a type names another one outside of its docstrings. */
function refersTo(declaration: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(declaration.replaceAll(/\/\*\*.*?\*\//gs, ''));
}

async function layOut(text: string): Promise<string> {
  const options = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatOptions;
  const { code, errors } = await format('types.ts', made + text, options);
  if (errors.length > 0) throw new Error(`the types cannot be read: ${errors[0]?.message}`);
  return code;
}
