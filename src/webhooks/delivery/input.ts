import { pageLimitDefault, parsePageLimit } from '../../platform/page-limit.ts';
import { parseIsoDate } from '../../platform/time.ts';
import { deliveryStatuses } from './delivery.ts';
import type { DeliveryCursor, DeliveryQuery } from './delivery-log.ts';
import { invalid, type Read, readFields } from '../subscriptions/input.ts';

const cursorPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (dlv_[0-9a-f]+)$/;

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Parameters of `GET /webhooks/{id}/deliveries`. */
export type DeliveryPage = Omit<DeliveryQuery, 'subscriptionId'>;

/**
 * Parses the parameters. A parameter that is empty or given twice is malformed; a limit above 200 becomes 200, as
 * for `/changes` (contract C6).
 */
export function readDeliveryPage(query: Readonly<Record<string, unknown>>): Read<DeliveryPage> {
  const { status, cursor, limit = String(pageLimitDefault) } = query;
  const known = deliveryStatuses.find((one) => one === status);
  if (status !== undefined && known === undefined) {
    return invalid('status', 'pending, succeeded or failed');
  }
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  if (cursor !== undefined && after === undefined) {
    return invalid('cursor', 'the nextCursor of the page before');
  }
  const limitRead = typeof limit === 'string' ? parsePageLimit(limit) : undefined;
  if (limitRead === undefined) return invalid('limit', 'positive integer');
  return { kind: 'read', value: { status: known, after, limit: limitRead } };
}

/** Prints `nextCursor`, which is opaque to callers. */
export function printCursor({ createdAt, id }: DeliveryCursor): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}

/** Parses the body of `POST /webhooks/{id}/replay`: `{since}`, a date (its start in UTC) or an instant. */
export function readSince(body: unknown): Read<string> {
  const fields = readFields(body, ['since']);
  if (fields.kind === 'invalid') return fields;
  const { since } = fields.value;
  const at = typeof since === 'string' ? toInstant(since) : undefined;
  return at === undefined
    ? invalid('since', 'YYYY-MM-DD or an ISO 8601 instant')
    : { kind: 'read', value: at };
}

function toInstant(text: string): string | undefined {
  if (parseIsoDate(text) !== undefined) return `${text}T00:00:00.000Z`;
  // Temporal accepts more forms: a blank for the T, an hour alone, a zone in brackets.
  if (!instantPattern.test(text)) return undefined;
  try {
    const { epochMilliseconds } = Temporal.Instant.from(text);
    const printed = Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toString({
      fractionalSecondDigits: 3,
    });
    // Instants are compared as text, so their years must have four digits.
    return printed.length === 24 ? printed : undefined;
  } catch {
    return undefined;
  }
}

function parseCursor(given: unknown): DeliveryCursor | undefined {
  if (typeof given !== 'string') return undefined;
  const match = cursorPattern.exec(Buffer.from(given, 'base64url').toString());
  return match === null ? undefined : { createdAt: match[1] ?? '', id: match[2] ?? '' };
}
