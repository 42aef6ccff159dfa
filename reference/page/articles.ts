import type { Json } from '../openapi/schemas.ts';
import { type Call, summaryOf } from './calls.ts';
import { hasErrors, printOwnErrors } from './errors.ts';
import { listFields, resolve, typeOf } from './fields.ts';
import { definitions, printCode, printJson, text } from './html.ts';
import { printSamples } from './samples/samples.ts';

/** Prints calls in the order of the page: the fields of a schema stand in its first article, to which later ones link. */
export class ArticlePrinter {
  readonly #document: Json;
  /** The calls whose articles have the fields, and where in their bodies, by the references of schemas. */
  readonly #printed = new Map<string, { readonly call: Call; readonly path: string }>();

  constructor(document: Json) {
    this.#document = document;
  }

  print(call: Call): string {
    const { id, operation } = call;
    const { description, parameters = [], requestBody, responses } = operation;
    return [
      `<article id="${id}"><h3>${text(summaryOf(call))}</h3>${printTarget(call)}`,
      call.isEvent ? '' : beside(printSamples(this.#document, call)),
      typeof description === 'string' ? `<p>${text(description)}</p>` : '',
      this.#printParameters(parameters as readonly unknown[]),
      requestBody === undefined
        ? ''
        : `<h4>Body</h4>${printExamples(requestBody as Json)}${this.#printFields(call, requestBody as Json)}`,
      ...Object.entries(responses as Json)
        .filter(([status, value]) => /^[23d]/.test(status) || !hasErrors(this.#document, value))
        .map(([status, value]) => this.#printAnswer(call, status, resolve(this.#document, value))),
      call.csv === undefined ? '' : this.#printCsv(call.csv),
      printOwnErrors(this.#document, responses as Json),
      '</article>',
    ].join('');
  }

  #printParameters(parameters: readonly unknown[]): string {
    if (parameters.length === 0) return '';
    const rows = parameters.map((parameter) => {
      const { name, in: where, required, description, schema } = resolve(this.#document, parameter);
      const need = required === true ? 'required' : 'optional';
      const kind = `${typeOf(this.#document, schema)}, in ${String(where)}, ${need}`;
      return [
        `<code>${text(String(name))}</code> <span class="dim">${text(kind)}</span>`,
        text(String(description)),
      ] as const;
    });
    return `<h4>Parameters</h4>${definitions(rows)}`;
  }

  #printAnswer(call: Call, status: string, answer: Json): string {
    const headers = this.#listHeaders(answer);
    return [
      `<h4>Answer <span class="status">${status}</span></h4><p>${text(String(answer['description']))}</p>`,
      printExamples(answer),
      // A 304 has the same headers as the 200.
      headers.length === 0 || status === '304' ? '' : `<p class="dim">${headers.join('<br>')}</p>`,
      this.#printFields(call, answer),
    ].join('');
  }

  #listHeaders(answer: Json): readonly string[] {
    return Object.entries((answer['headers'] ?? {}) as Json)
      .filter(([name]) => name !== 'X-Request-Id')
      .map(([name, value]) => {
        const { example, examples } = resolve(this.#document, value);
        const values =
          examples === undefined
            ? [example]
            : Object.values(examples as Json).map((one) => (one as Json)['value']);
        return `<code>${text(name)}: ${values.map((one) => text(String(one))).join('</code> or <code>')}</code>`;
      });
  }

  /** Prints the fields of a body of JSON. */
  #printFields(call: Call, of: Json): string {
    const schema = contentOf(of)?.['schema'] ?? {};
    const isElsewhere = (reference: string, path: string): boolean => {
      const known = this.#printed.get(reference);
      if (known === undefined) this.#printed.set(reference, { call, path });
      return known !== undefined && known.call.id !== call.id;
    };
    const rows = listFields(this.#document, schema, isElsewhere).map((field) => {
      const { path, type, isOptional, description, elsewhere } = field;
      if (elsewhere !== undefined) {
        return [path === '' ? 'every field' : code(`${path}.…`), this.#linkTo(elsewhere)] as const;
      }
      const kind = `${type}${isOptional ? ', optional' : ''}`;
      return [`${code(path)} <span class="dim">${text(kind)}</span>`, text(description)] as const;
    });
    return rows.length === 0 ? '' : definitions(rows);
  }

  /** Prints where the fields of a schema stand. */
  #linkTo(reference: string): string {
    const known = this.#printed.get(reference);
    if (known === undefined) throw new Error(`the fields of ${reference} are not printed`);
    const { call, path } = known;
    const part = path === '' ? '' : `${code(path)} of `;
    return `as in ${part}<a href="#${call.id}">${text(summaryOf(call))}</a>`;
  }

  /** Prints what differs in the call for CSV. Parameters, headers and errors are the same. */
  #printCsv(call: Call): string {
    const { description, responses } = call.operation;
    const [answer] = Object.values(responses as Json);
    return [
      `<h4 id="${call.id}">As CSV</h4>${printTarget(call)}`,
      printExamples(resolve(this.#document, answer)),
      `<p>${text(String(description))}</p>`,
    ].join('');
  }
}

/** The first content of a body: JSON, if there is one as well. */
function contentOf(of: Json): Json | undefined {
  return Object.values((of['content'] ?? {}) as Json)[0] as Json | undefined;
}

function printExamples(of: Json): string {
  const { example, examples = {} } = contentOf(of) ?? {};
  const all =
    example === undefined
      ? (Object.values(examples as Json) as readonly Json[])
      : [{ summary: 'For example', value: example }];
  const shown = all.map(
    ({ summary, value }) =>
      `<details open><summary>${text(String(summary))}</summary>${printCode(typeof value === 'string' ? value : printJson(value))}</details>`,
  );
  return beside(shown.join(''));
}

/** Prints method and path; an event goes to the URL of its receiver. */
function printTarget({ isEvent, method, path }: Call): string {
  const target = isEvent ? `<i>your URL</i>, ${text(path)}` : text(path);
  return `<code class="call"><span class="method">${method}</span> ${target}</code>`;
}

function code(raw: string): string {
  return `<code>${text(raw, 'code')}</code>`;
}

/** Requests and answers stand beside the text on a wide screen, and between its parts on a narrow one. */
function beside(code: string): string {
  return code === '' ? '' : `<div class="beside">${code}</div>`;
}
