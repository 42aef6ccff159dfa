import type { Json } from '../openapi/schemas.ts';

/** A call that has an article of its own on the page. */
export type Call = {
  /** Unique on the page. */
  readonly id: string;
  /** Whether it is a request of the service to a receiver. */
  readonly isEvent: boolean;
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
  /** The call for the same data as CSV, which is shown in the same article. */
  readonly csv: Call | undefined;
};

/** Lists the calls of the document in its order; calls for CSV are with those for the same data as JSON. */
export function listCalls(document: Json): readonly Call[] {
  const all = ['paths', 'webhooks'].flatMap((kind) =>
    Object.entries((document[kind] ?? {}) as Json).flatMap(([path, methods]) =>
      Object.entries(methods as Json).map(([method, value]): Call => {
        const operation = value as Json;
        const id = String(operation['operationId']);
        const isEvent = kind === 'webhooks';
        return { id, isEvent, method: method.toUpperCase(), path, operation, csv: undefined };
      }),
    ),
  );
  const byId = new Map(all.map((call) => [call.id, call]));
  const isOfAnother = ({ id, path }: Call): boolean =>
    id.endsWith('Csv') && path === `${byId.get(id.slice(0, -3))?.path}.csv`;
  return all
    .filter((call) => !isOfAnother(call))
    .map((call) => ({ ...call, csv: byId.get(`${call.id}Csv`) }));
}

/** The result or the effect of a call, in a few words. */
export function summaryOf({ operation }: Call): string {
  return String(operation['summary']);
}
