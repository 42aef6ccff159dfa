import { errorsOfUnknownRoutes, statusOf, textOf } from '../openapi/errors.ts';
import { printCurl } from './curl.ts';
import { listFields, resolve, typeOf } from './fields.ts';
import { printJson, table, text } from './html.ts';
import { pageScript, pageStyle } from './style.ts';
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
  const menu = groups.map(
    ({ tag, calls }) =>
      `<div><p>${text(tag.name)}</p><ul>${calls.map((call) => `<li><a href="#${call.id}">${text(String(call.operation['summary']))}</a></li>`).join('')}</ul></div>`,
  );
  const sections = groups.map(
    ({ tag, calls }) =>
      `<section><h2>${text(tag.name)}</h2><p>${text(tag.description)}</p>${calls.map((call) => printCall(document, call)).join('')}</section>`,
  );
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${text(info.title)}: reference</title><style>${pageStyle}</style></head>`,
    '<body><div class="frame"><nav aria-label="Reference">',
    '<search hidden><input type="search" placeholder="Find in the reference" aria-label="Find in the reference"><p class="found dim" role="status"></p></search>',
    menu.join(''),
    '</nav><main>',
    `<h1>${text(info.title)}</h1>`,
    '<p><a href="/openapi.json">openapi.json</a> is the same reference for programs. In the commands, <code>$URL</code> is the address of the service and <code>$KEY</code> is your key.</p>',
    ...info.description.split('\n\n').map((paragraph) => `<p>${text(paragraph)}</p>`),
    `<section><h2>Errors of every call</h2>${printCommonErrors(document)}</section>`,
    ...sections,
    `</main></div><script>${pageScript}</script></body></html>`,
    '',
  ].join('\n');
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
    isEvent ? '' : `<pre tabindex="0">${text(printCurl(document, call), 'code')}</pre>`,
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
    return [
      `<code>${text(String(name))}</code><br><span class="dim">${String(where)}, ${need}</span>`,
      text(typeOf(document, schema)),
      text(String(description)),
    ];
  });
  return `<h4>Parameters</h4>${table(['name', 'type', 'meaning'], rows)}`;
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
  const fields = listFields(document, content['schema']).map((field) => [
    `<code>${text(field.path)}</code>${field.isOptional ? '<br><span class="dim">optional</span>' : ''}`,
    text(field.type),
    text(field.description),
  ]);
  const examples =
    content['example'] === undefined
      ? (Object.values((content['examples'] ?? {}) as Json) as readonly Json[])
      : [{ summary: 'For example', value: content['example'] }];
  return [
    heading === undefined ? '' : `<h4>${heading}</h4>`,
    fields.length === 0 ? '' : table(['field', 'type', 'meaning'], fields),
    ...examples.map(
      ({ summary, value }) =>
        `<details open><summary>${text(String(summary))}</summary><pre tabindex="0">${text(typeof value === 'string' ? value : printJson(value), 'code')}</pre></details>`,
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
function listCommonErrors(document: Json): ReadonlyMap<string, readonly string[]> {
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

/** Makes one table row for each error of some answers; the keys are status and text. */
function listErrors(
  document: Json,
  answers: readonly (readonly [status: string, answer: unknown])[],
): ReadonlyMap<string, readonly string[]> {
  const rows = new Map<string, readonly string[]>();
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

function errorRow(
  status: string,
  error: string,
  when: string,
): [key: string, row: readonly string[]] {
  return [
    `${status} ${error}`,
    [`<span class="status bad">${status}</span>`, `<code>${text(error)}</code>`, text(when)],
  ];
}

function printErrors(rows: ReadonlyMap<string, readonly string[]>): string {
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return table(['status', 'error', 'when'], sorted);
}
