import {
  type Query,
  readCursor,
  readLimit,
  readParameter,
} from '../../platform/http/routes/query-parameters.ts';
import { pageLimitDefault } from '../../platform/values/page-limit.ts';
import { deliveryStatuses } from './delivery.ts';
import type { DeliveryCursor, DeliveryQuery } from './delivery-log.ts';

const cursorPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (dlv_[0-9a-f]+)$/;

/** Parameters of `GET /webhooks/{id}/deliveries`. */
export type DeliveryPage = Omit<DeliveryQuery, 'subscriptionId'>;

/**
 * Parses the parameters, or throws the 400. A parameter that is empty or given twice is malformed; a limit above
 * 200 becomes 200, as for `/changes` (contract C6).
 */
export function readDeliveryPage(query: Query): DeliveryPage {
  const toStatus = (text: string) => deliveryStatuses.find((one) => one === text);
  return {
    status: readParameter(query, 'status', toStatus, 'pending, succeeded or failed'),
    after: readCursor(query, parseCursor),
    limit: readLimit(query) ?? pageLimitDefault,
  };
}

/** Prints `nextCursor`, which is opaque to callers. */
export function printCursor({ createdAt, id }: DeliveryCursor): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}

function parseCursor(text: string): DeliveryCursor | undefined {
  const [, createdAt, id] = cursorPattern.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return createdAt === undefined || id === undefined ? undefined : { createdAt, id };
}
