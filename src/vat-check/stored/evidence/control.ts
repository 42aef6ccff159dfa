import { formatInstant } from '../../../platform/time/time.ts';
import type { RecordedExchange } from '../../registries/exchange-recorder.ts';
import type { Control } from './definitions.ts';

/** The exchange of a control question as evidence has it (rule M10). */
export function toControl({
  url,
  requestedAt,
  answeredAt,
  request,
  response,
  head,
}: RecordedExchange): Control {
  return {
    endpoint: url,
    requestedAt: formatInstant(requestedAt),
    answeredAt: answeredAt === undefined ? null : formatInstant(answeredAt),
    request: Buffer.from(request).toString('base64'),
    response: Buffer.from(response).toString('base64'),
    ...(head && { head }),
  };
}
