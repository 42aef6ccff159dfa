import { dataSets } from '../../src/composition/data-sets.ts';
import type { Json } from './schemas.ts';

type Header = { readonly description: string; readonly pattern: string; readonly example: string };

/** The names of the limits in the headers of a 429. */
const limitPolicies =
  'rate-limit|quota|free-requests|failed-authentication|public-pages|replays|replays-of-delivery';

/** The first parts of the data sets' paths: `rates|fx`. */
const dataSetPaths = Object.values(dataSets)
  .map(({ api }) => api.path.slice(1))
  .join('|');

/** The path of the service, if it has one (PUBLIC_URL). */
const path = '(/[\\w.~-]+)*';

const headers: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description:
      'The id of the request in the log of the service. State it if you report a problem.',
    pattern: '^[\\w-]{8,}$',
    example: 'q2Zk1fJb-1a',
  },
  ETag: {
    description:
      'A hash of the exact bytes of the body, the same on every replica and after every restart. Send it back in If-None-Match.',
    pattern: '^"[\\w-]{27}"$',
    example: '"Pp2N4T0Yj6cPpWmXk3o1aVb9sQe"',
  },
  Vary: {
    description:
      'The body is compressed with brotli or gzip if `Accept-Encoding` allows it. `Origin` is there if the service has `CORS_ORIGINS`.',
    pattern: '^(Origin, )?Accept-Encoding$',
    example: 'Accept-Encoding',
  },
  'Content-Encoding': {
    description: 'The compression of the body; missing if it has none.',
    pattern: '^(br|gzip)$',
    example: 'br',
  },
  'No-Store': {
    description: 'The answer must not be cached.',
    pattern: '^no-store$',
    example: 'no-store',
  },
  'Content-Disposition': {
    description: 'The name of the file that a browser saves.',
    pattern: '^attachment; filename="[A-Za-z\\d.-]+\\.csv"$',
    example: 'attachment; filename="rates-2026-11-20.csv"',
  },
  Link: {
    description:
      'With 404, the nearest dates with data, before (`rel="prev"`) and after (`rel="next"`), if there are any. With 410, the oldest stored event (`rel="first"`).',
    pattern: `^<${path}/events\\?after=[\\w-]{32}>; rel="first"$|^<${path}/(${dataSetPaths})/[\\d-]{10}(\\.csv)?>; rel="(prev|next)"(, <${path}/(${dataSetPaths})/[\\d-]{10}(\\.csv)?>; rel="next")?$`,
    example: '</fx/2026-11-13>; rel="prev", </fx/2026-11-16>; rel="next"',
  },
  'Link-Errata': {
    description:
      'Where the known errors of the source on the date of the rates are listed; missing if none is known.',
    pattern: `^<${path}/rates/errata\\?date=[\\d-]{10}>; rel="describedby"$`,
    example: '</rates/errata?date=2020-09-15>; rel="describedby"',
  },
  'Link-Next': {
    description: 'The next page; missing on the last one.',
    pattern: `^<${path}/vatchecks\\.csv\\?[^>]+>; rel="next"$`,
    example: '</vatchecks.csv?status=answered&cursor=M2Y5>; rel="next"',
  },
  'Vatfx-Hint': {
    description:
      'A remark about the number, with the words of `hint` of a stored check; missing if there is nothing to say. With a 422 it is the reason: `no digit`, `letters of another script`, `longer than 64 characters`, `one character after the prefix`, `no registry for US`, `not a country`, or the form of the numbers of the country; missing if only the registry knows it.',
    pattern: '^[ -~]+$',
    example: 'form: expected 8 digits',
  },
  'Retry-After': {
    description: 'Seconds after which a request may succeed.',
    pattern: '^[1-9]\\d*$',
    example: '12',
  },
  'Retry-After-Optional': {
    description: 'Seconds after which a request may succeed; missing if the error is permanent.',
    pattern: '^[1-9]\\d*$',
    example: '14400',
  },
  RateLimit: {
    description:
      'The limit that was reached: the requests that remain (`r`), and the seconds until another request is allowed (`t`).',
    pattern: `^"(${limitPolicies})";r=0;t=[1-9]\\d*$`,
    example: '"rate-limit";r=0;t=12',
  },
  'RateLimit-Policy': {
    description:
      'The limit that was reached: the number of requests (`q`) within a number of seconds (`w`).',
    pattern: `^"(${limitPolicies})";q=\\d+;w=\\d+$`,
    example: '"rate-limit";q=600;w=60',
  },
  'WWW-Authenticate': {
    description:
      'What is wrong with the request: `error="invalid_request"` with a sentence in `error_description` if it has no key, another scheme, or a text that cannot be a key; `error="invalid_token"` if the key is not accepted, whatever the reason.',
    pattern:
      '^Bearer realm="vatfx", error="(invalid_token|invalid_request", error_description="[^"\\\\]+)"$',
    example:
      'Bearer realm="vatfx", error="invalid_request", error_description="no Authorization header"',
  },
  Location: {
    description:
      'The path of what the request created, behind the path of the service if it has one.',
    pattern: `^${path}/(webhooks|vatchecks(/batch)?)/\\w+$`,
    example: '/webhooks/sub_5d0c5b1f3c5e4fb2a1d0c9e7',
  },
};

/** Headers that are not always sent. */
const optionalHeaders: readonly string[] = [
  'Content-Encoding',
  'Link',
  'Link-Errata',
  'Link-Next',
  'Retry-After-Optional',
  'Vatfx-Hint',
];

export function printHeaders(): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description, pattern, example }]) => [
      name,
      {
        description,
        required: !optionalHeaders.includes(name),
        schema: { type: 'string', pattern },
        example,
      },
    ]),
  );
}

export const securitySchemes: Json = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'vfx_ and 49 letters and digits',
    description:
      'An API key, which you get from the operator of the service: `Authorization: Bearer vfx_…`. Query parameters and cookies are not read. A key has one or more of the scopes `read` (rates, exchange rates, VAT checks, `/events`, `/usage`, `/status`), `checks` (stored VAT checks, watches and the events about them) and `webhooks` (subscriptions).',
  },
};

export const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The ETags of bodies that you have, or `*`. If one of them is current, the answer is a 304 without a body.',
  schema: { type: 'string' },
  example: '"Pp2N4T0Yj6cPpWmXk3o1aVb9sQe"',
};
