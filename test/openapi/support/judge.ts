import type { Answer } from '../../support/send-request.ts';
import { problemsOf } from './answer-check.ts';
import type { Document, Part } from './document.ts';

/** Compares answers with the document, and remembers which of its answers were received. */
export class Judge {
  readonly #document: Document;
  /** Documented answers that were received: `getFx 200`, `getFx 404 fx snapshot not found`. */
  readonly #seen = new Set<string>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** The status of an answer and its undocumented parts: `[200, []]` for an answer that is documented. */
  judge(
    method: string,
    path: string,
    answer: Answer,
  ): readonly [status: number, problems: readonly string[]] {
    const operation = this.#document.find(method, path);
    const { error } = (answer.status < 400 ? {} : JSON.parse(answer.text)) as {
      readonly error?: string;
    };
    this.#seen.add(nameOf(operation?.id, answer.status, error));
    const responses = operation?.part['responses'] as Part;
    return [answer.status, problemsOf(this.#document, responses, answer)];
  }

  /** The documented answers that were not received. */
  get unseen(): readonly string[] {
    const documented = this.#document.operations.flatMap(({ id, part }) =>
      Object.entries(part['responses'] as Part).flatMap(([status, response]) =>
        Number(status) < 400
          ? nameOf(id, status)
          : this.#document.errorsOf(response).map((error) => nameOf(id, status, error)),
      ),
    );
    return documented.filter((one) => !this.#seen.has(one));
  }
}

function nameOf(id: string | undefined, status: number | string, error?: string): string {
  return `${id} ${status}${error === undefined ? '' : ` ${error}`}`;
}
