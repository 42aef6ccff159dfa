import type { Answer } from '../../support/send-request.ts';
import type { Document, Part } from './document.ts';

/** Headers of HTTP that any answer may have. */
const plain: readonly string[] = [
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
];

/**
 * Lists the differences between an answer and the document: a status, a header, a field, a text. Empty for an answer
 * that is documented exactly.
 */
export function problemsOf(
  document: Document,
  responses: Part,
  { status, headers, text }: Answer,
): readonly string[] {
  const documented = responses[status];
  if (documented === undefined) return [`status ${status} is not documented: ${text}`];
  const response = document.resolve(documented);
  return [
    ...headerProblems(document, response['headers'] ?? {}, headers),
    ...bodyProblems(document, response['content'] as Part | undefined, { headers, text }),
    ...(status >= 400 && response['content'] !== undefined
      ? errorProblems(document, response, text)
      : []),
  ];
}

/** An error's text has to be an example of the response, or of the form of one whose text is said to vary. */
function errorProblems(document: Document, response: Part, text: string): readonly string[] {
  const { error } = JSON.parse(text) as { readonly error?: unknown };
  // Another form of the body is a problem of its schema.
  if (typeof error !== 'string') return [];
  const isDocumented = document
    .errorExamples(response)
    .some((one) => one.text === error || (one.varies && formOf(one.text) === formOf(error)));
  return isDocumented ? [] : [`the error is not documented: ${error}`];
}

/** The form of a text that varies: `line …: unknown field '…'`. */
function formOf(error: string): string {
  return error
    .replace(/^line \d+: /, 'line …: ')
    .replace(/^checks\[\d+\]: /, 'checks[…]: ')
    .replace(/^(line …: invalid CSV — ).+$/, '$1…')
    .replace(/'[\s\S]*'/, "'…'")
    .replace(/(invalid '…' — expected ).+$/, '$1…');
}

function headerProblems(document: Document, documented: Part, sent: Answer['headers']): string[] {
  const names = Object.keys(documented).map((name) => name.toLowerCase());
  const unknown = Object.keys(sent).filter(
    (name) => !plain.includes(name) && !names.includes(name),
  );
  const wrong = Object.entries(documented).flatMap(([name, header]) => {
    const { required, schema } = document.resolve(header);
    const value = sent[name.toLowerCase()];
    if (value === undefined) return required === true ? [`${name} is missing`] : [];
    return document.problems(schema, value).map((problem) => `${name}: ${String(value)}${problem}`);
  });
  return [...unknown.map((name) => `${name} is not documented`), ...wrong];
}

function bodyProblems(
  document: Document,
  content: Part | undefined,
  { headers, text }: Pick<Answer, 'headers' | 'text'>,
): readonly string[] {
  if (content === undefined) return text === '' ? [] : [`a body is not documented: ${text}`];
  const [type = ''] = String(headers['content-type']).split('; ');
  if (content[type] === undefined) return [`${type} is not documented`];
  const { schema } = content[type] as { readonly schema: unknown };
  return document.problems(schema, type === 'text/csv' ? text : JSON.parse(text));
}
