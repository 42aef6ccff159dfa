import type { Json } from '../../openapi/schemas.ts';
import { printCode } from '../html.ts';
import { printCurl } from './curl.ts';
import { printPhp } from './php.ts';
import { printPython } from './python.ts';
import { readSampleCall, type SampleCall } from './sample-call.ts';
import { printTypeScript } from './typescript.ts';

/** The languages of the samples, the default first. `id` is used in HTML. */
export const languages = [
  { id: 'curl', name: 'curl', print: printCurl },
  { id: 'typescript', name: 'TypeScript', print: printTypeScript },
  { id: 'python', name: 'Python', print: printPython },
  { id: 'php', name: 'PHP', print: printPhp },
] as const satisfies readonly {
  readonly id: string;
  readonly name: string;
  readonly print: (call: SampleCall) => string;
}[];

/** Prints the choice of a language. Style sheets alone show the samples of the chosen one. */
export function printLanguages(): string {
  const choices = languages.map(
    ({ id, name }, at) =>
      `<label><input type="radio" name="language" id="in-${id}"${at === 0 ? ' checked' : ''}>${name}</label>`,
  );
  return `<fieldset class="languages"><legend>Samples in</legend>${choices.join('')}</fieldset>`;
}

/** Prints the samples of a request, one in each language. */
export function printSamples(document: Json, call: Parameters<typeof readSampleCall>[1]): string {
  const sample = readSampleCall(document, call);
  return languages.map(({ id, print }) => printCode(print(sample), id)).join('');
}
