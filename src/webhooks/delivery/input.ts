import { invalidField } from '../../platform/http/responses/api-errors.ts';
import { readFields } from '../../platform/http/routes/body-fields.ts';
import { momentForm, parseMoment } from '../../platform/http/routes/instant-parameter.ts';
import { pageLimitDefault, parsePageLimit } from '../../platform/page-limit.ts';
import { deliveryStatuses } from './delivery.ts';
import type { DeliveryCursor, DeliveryQuery } from './delivery-log.ts';

const cursorPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (dlv_[0-9a-f]+)$/;

/** Parameters of `GET /webhooks/{id}/deliveries`. */
export type DeliveryPage = Omit<DeliveryQuery, 'subscriptionId'>;

/**
 * Parses the parameters, or throws the 400. A parameter that is empty or given twice is malformed; a limit above
 * 200 becomes 200, as for `/changes` (contract C6).
 */
export function readDeliveryPage(query: Readonly<Record<string, unknown>>): DeliveryPage {
  const { status, cursor, limit = String(pageLimitDefault) } = query;
  const known = deliveryStatuses.find((one) => one === status);
  if (status !== undefined && known === undefined) {
    throw invalidField('status', 'pending, succeeded or failed');
  }
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  const rows = typeof limit === 'string' ? parsePageLimit(limit) : undefined;
  if (rows === undefined) throw invalidField('limit', 'positive integer');
  return { status: known, after, limit: rows };
}

/** Prints `nextCursor`, which is opaque to callers. */
export function printCursor({ createdAt, id }: DeliveryCursor): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}

/**
 * Parses the body of `POST /webhooks/{id}/replay`, `{since}`, or throws the 400. `since` is an instant or a date, which
 * stands for its start in UTC.
 */
export function readSince(body: unknown): string {
  const { since } = readFields(body, ['since']);
  const at = typeof since === 'string' ? parseMoment(since) : undefined;
  if (at === undefined) throw invalidField('since', momentForm);
  return at;
}

function parseCursor(given: unknown): DeliveryCursor {
  const text = typeof given === 'string' ? Buffer.from(given, 'base64url').toString() : '';
  const [, createdAt, id] = cursorPattern.exec(text) ?? [];
  if (createdAt === undefined || id === undefined) {
    throw invalidField('cursor', 'the nextCursor of the page before');
  }
  return { createdAt, id };
}
