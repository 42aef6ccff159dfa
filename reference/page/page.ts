import { errorsOfUnknownRoutes, statusOf, textOf } from '../openapi/errors.ts';
import { listFields, resolve, typeOf } from './fields.ts';
import { type Definition, definitions, printCode, printJson, text } from './html.ts';
import { printLanguages, printSamples } from './samples/samples.ts';
import { pageScript } from './script.ts';
import { pageStyle } from './style.ts';
import type { Json } from '../openapi/schemas.ts';

type Call = {
  /** Unique on the page. */
  readonly id: string;
  /** Whether it is a request of the service to a receiver. */
  readonly isEvent: boolean;
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
};

/** Prints the reference as one page that loads no other file. */
export function printReferencePage(document: Json): string {
  const info = document['info'] as { readonly title: string; readonly description: string };
  const tags = document['tags'] as readonly {
    readonly name: string;
    readonly description: string;
  }[];
  const calls = [...listCalls(document)];
  const groups = tags.map((tag) => ({
    tag,
    calls: calls.filter(({ operation }) => (operation['tags'] as string[])[0] === tag.name),
  }));
  const menu = [
    { name: 'Start', links: sections.map(({ id, name }) => [id, name] as const) },
    ...groups.map(({ tag, calls }) => ({
      name: tag.name,
      links: calls.map(({ id, operation }) => [id, String(operation['summary'])] as const),
    })),
  ].map(
    ({ name, links }) =>
      `<div><p>${text(name)}</p><ul>${links.map(([id, title]) => `<li><a href="#${id}">${text(title)}</a></li>`).join('')}</ul></div>`,
  );
  const [first, rules, errors] = sections.map(
    ({ id, name }) => `<section id="${id}"><h2>${name}</h2>`,
  );
  const described = groups.map(
    ({ tag, calls }) =>
      `<section><h2>${text(tag.name)}</h2><p>${text(tag.description)}</p>${calls.map((call) => printCall(document, call)).join('')}</section>`,
  );
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${text(info.title)}: reference</title><style>${pageStyle}</style></head>`,
    '<body><div class="frame"><nav aria-label="Reference"><p class="back"><a href="./">← Console</a></p>',
    '<search hidden><input type="search" placeholder="Find in the reference" aria-label="Find in the reference"><p class="found dim" role="status"></p></search>',
    `<details class="menu" open><summary>Contents</summary>${menu.join('')}</details>`,
    '</nav><main>',
    `<h1>${text(info.title)}</h1>`,
    '<p><a href="openapi.json">openapi.json</a> is the same reference for programs.</p>',
    printLanguages(),
    first,
    ...printFirstCall(document, calls),
    '</section>',
    rules,
    ...info.description.split('\n\n').map((paragraph) => `<p>${text(paragraph)}</p>`),
    '</section>',
    errors,
    printCommonErrors(document),
    '</section>',
    ...described,
    `</main></div><p class="said hidden" role="status"></p><script>${pageScript}</script></body></html>`,
    '',
  ].join('\n');
}

/** The sections in front of the calls. */
const sections = [
  { id: 'first-call', name: 'First call' },
  { id: 'rules', name: 'Rules of every call' },
  { id: 'errors', name: 'Errors of every call' },
] as const;

function printFirstCall(document: Json, calls: readonly Call[]): readonly string[] {
  const first = calls.find(({ id }) => id === 'getLatestRates');
  if (first === undefined) throw new Error('the document has no getLatestRates');
  return [
    '<p>You need an API key from the operator of this service; <code>npm run demo</code> prints one. The samples read the address of the service and the key from the environment:</p>',
    // The script of the page replaces the address by the one at which the page is read.
    printCode('export URL=http://127.0.0.1:8080\nexport KEY=vfx_…', 'setup'),
    `<p>Then request ${text(lowerFirst(String(first.operation['summary'])))}:</p>`,
    printSamples(document, first),
    `<p>The response and its fields: <a href="#${first.id}">${text(String(first.operation['summary']))}</a>. Choose another language above; every sample changes. The TypeScript samples are ES modules for Node and use <code>vatfx-client</code>, the folder <code>client</code> of the repository of vatfx. The others need no library.</p>`,
  ];
}

function lowerFirst(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}

function* listCalls(document: Json): Generator<Call> {
  for (const kind of ['paths', 'webhooks']) {
    for (const [path, methods] of Object.entries((document[kind] ?? {}) as Json)) {
      for (const [method, value] of Object.entries(methods as Json)) {
        const operation = value as Json;
        yield {
          id: String(operation['operationId']),
          isEvent: kind === 'webhooks',
          method: method.toUpperCase(),
          path,
          operation,
        };
      }
    }
  }
}

function printCall(document: Json, call: Call): string {
  const { id, isEvent, method, path, operation } = call;
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody === undefined ? '' : printContent(document, requestBody as Json, 'Body');
  return [
    `<article id="${id}"><h3>${text(String(summary))}</h3>`,
    `<code class="call"><span class="method">${method}</span> ${isEvent ? `<i>your URL</i>, ${text(path)}` : text(path)}</code>`,
    typeof description === 'string' ? `<p>${text(description)}</p>` : '',
    isEvent ? '' : printSamples(document, call),
    printParameters(document, parameters as readonly unknown[]),
    body,
    ...Object.entries(responses as Json)
      .filter(([status, value]) => /^[23d]/.test(status) || !hasErrors(document, value))
      .map(([status, value]) => printAnswer(document, status, resolve(document, value))),
    printOwnErrors(document, responses as Json),
    '</article>',
  ].join('');
}

function printParameters(document: Json, parameters: readonly unknown[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map((parameter) => {
    const { name, in: where, required, description, schema } = resolve(document, parameter);
    const need = required === true ? 'required' : 'optional';
    const kind = `${typeOf(document, schema)}, in ${String(where)}, ${need}`;
    return [
      `<code>${text(String(name))}</code> <span class="dim">${text(kind)}</span>`,
      text(String(description)),
    ] as const;
  });
  return `<h4>Parameters</h4>${definitions(rows)}`;
}

function printAnswer(document: Json, status: string, answer: Json): string {
  const headers = Object.entries((answer['headers'] ?? {}) as Json)
    .filter(([name]) => name !== 'X-Request-Id')
    .map(([name, value]) => {
      const { example, examples } = resolve(document, value);
      const values =
        examples === undefined
          ? [example]
          : Object.values(examples as Json).map((one) => (one as Json)['value']);
      return `<code>${text(name)}: ${values.map((one) => text(String(one))).join('</code> or <code>')}</code>`;
    });
  return [
    `<h4>Answer <span class="status">${status}</span></h4><p>${text(String(answer['description']))}</p>`,
    // A 304 has the same headers as the 200.
    headers.length === 0 || status === '304' ? '' : `<p class="dim">${headers.join('<br>')}</p>`,
    printContent(document, answer, undefined),
  ].join('');
}

/** Prints the fields and examples of a body of JSON, or the examples of CSV. */
function printContent(document: Json, of: Json, heading: string | undefined): string {
  const [content] = Object.values((of['content'] ?? {}) as Json) as (Json | undefined)[];
  if (content === undefined) return '';
  const fields = listFields(document, content['schema']).map((field) => {
    const kind = `${field.type}${field.isOptional ? ', optional' : ''}`;
    return [
      `<code>${text(field.path)}</code> <span class="dim">${text(kind)}</span>`,
      text(field.description),
    ] as const;
  });
  const examples =
    content['example'] === undefined
      ? (Object.values((content['examples'] ?? {}) as Json) as readonly Json[])
      : [{ summary: 'For example', value: content['example'] }];
  return [
    heading === undefined ? '' : `<h4>${heading}</h4>`,
    fields.length === 0 ? '' : definitions(fields),
    ...examples.map(
      ({ summary, value }) =>
        `<details open><summary>${text(String(summary))}</summary>${printCode(typeof value === 'string' ? value : printJson(value))}</details>`,
    ),
  ].join('');
}

/** Prints the errors of a call that not every call has. */
function printOwnErrors(document: Json, responses: Json): string {
  const own = Object.entries(responses).filter(
    ([status, value]) =>
      /^[45]/.test(status) && !('$ref' in (value as Json)) && hasErrors(document, value),
  );
  if (own.length === 0) return '';
  const rows = new Map(listErrors(document, own));
  for (const [name] of listCommonErrors(document)) {
    if (name !== notFoundRow) rows.delete(name);
  }
  return `<h4>Errors</h4>${printErrors(rows)}`;
}

function printCommonErrors(document: Json): string {
  return printErrors(listCommonErrors(document));
}

/** The errors that several calls have, and those of requests that are no call. */
function listCommonErrors(document: Json): ReadonlyMap<string, Definition> {
  const { responses } = document['components'] as { readonly responses: Json };
  const answers = Object.values(responses).map(
    (answer) => [String((answer as Json)['x-status']), answer] as const,
  );
  const unknown = errorsOfUnknownRoutes.map((one) =>
    errorRow(String(statusOf(one.error)), textOf(one), one.when),
  );
  return new Map([...listErrors(document, answers), ...unknown]);
}

/** A common error that some calls also describe themselves: there it means an unknown id. */
const notFoundRow = '404 not found';

/** Whether an answer has a body of this API; the answers of receivers have none. */
function hasErrors(document: Json, answer: unknown): boolean {
  return resolve(document, answer)['content'] !== undefined;
}

/** Makes one definition for each error of some answers; the keys are status and text. */
function listErrors(
  document: Json,
  answers: readonly (readonly [status: string, answer: unknown])[],
): ReadonlyMap<string, Definition> {
  const rows = new Map<string, Definition>();
  for (const [status, answer] of answers) {
    const content = resolve(document, answer)['content'] as Json;
    const { examples } = content['application/json'] as { readonly examples: Json };
    for (const { summary, value } of Object.values(examples) as Json[]) {
      const { error } = value as { readonly error: string };
      rows.set(...errorRow(status, error, String(summary)));
    }
  }
  return rows;
}

function errorRow(status: string, error: string, when: string): [key: string, row: Definition] {
  return [
    `${status} ${error}`,
    [`<span class="status bad">${status}</span> <code>${text(error)}</code>`, text(when)],
  ];
}

function printErrors(rows: ReadonlyMap<string, Definition>): string {
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return definitions(sorted);
}
