import { readFileSync } from 'node:fs';
import { type OpenApiParts, printOpenApi } from './openapi/openapi.ts';
import type { DescribedRoute } from '../src/platform/http/routes/described-routes.ts';
import { events } from '../src/composition/events.ts';
import { collectExamples, type Examples } from './examples.ts';
import { World } from './world.ts';

/** Makes the text of `openapi.json`. The examples are answers of a service that is started for this purpose. */
export async function makeOpenApiDocument(): Promise<string> {
  await using world = await World.start();
  const document = describeApi(world.service.routes, await collectExamples(world));
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Makes the document of these routes. */
export function describeApi(
  routes: readonly DescribedRoute[],
  examples: Examples,
): ReturnType<typeof printOpenApi> {
  return printOpenApi({ info, tags, routes, events, examples });
}

const { version, license } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
  readonly license: string;
};

const info: OpenApiParts['info'] = {
  title: 'vatfx',
  version,
  contact: { name: 'the vatfx authors' },
  license: { name: license, identifier: license },
  summary: 'EU VAT rates, euro exchange rates and VAT-number checks from their official sources.',
  description: [
    'EU VAT rates, euro exchange rates and VAT-number checks from their official sources.',
    'Every call needs an API key, which you get from the operator of the service: `Authorization: Bearer vfx_…`. A key has a limit per minute and a quota per calendar month; `/usage` shows both.',
    'The body of every error is `{"error": "…"}` without other fields. The texts are part of the API, so programs may compare them; each response has its texts as examples. Errors must not be cached (`Cache-Control: no-store`), and every answer has an `X-Request-Id`.',
    'HEAD is answered like GET, without the body. An unknown path is answered with 404 `not found`. A method that is not listed is answered with 405 `method not allowed`, and the `Allow` header names the methods of the path. OPTIONS is answered only if the operator has allowed origins of browsers (CORS).',
    'Dates are `YYYY-MM-DD`. Rates are JSON numbers with the exact digits of their source. Fields may be added to any object: ignore fields that you do not know. The API has one version. Before a route or field is removed or changes its meaning, answers have a `Deprecation` and a `Sunset` header for six months.',
    'Rates, changes, exchange rates, errata and stored checks are also available as CSV: the path with `.csv` at its end has the same parameters, cache policies, costs and errors (JSON). It is UTF-8 with one line of headings (RFC 4180), commas between cells, a point before decimals, and empty cells for null. A text that a spreadsheet would run as a formula begins with an apostrophe, also behind a semicolon or tab inside a cell. Columns are never renamed, moved or removed. Goods categories, errata and stored checks may get further ones, behind the others.',
    'The examples are real answers of the service against its sandbox, whose traders are fictitious.',
  ].join('\n\n'),
};

const tags: OpenApiParts['tags'] = [
  {
    name: 'VAT rates',
    description:
      'The national VAT rates of the EU-27, and every rate that changed. Source: TEDB, the database of the European Commission.',
  },
  {
    name: 'Exchange rates',
    description:
      'The euro reference rates of the European Central Bank since 1999, and which of them EU law means for a return, a customs value or a tax point; and the rates of the Polish and the Czech national bank for invoices of these countries.',
  },
  {
    name: 'VAT checks',
    description: 'Checks of VAT numbers with VIES, the registry of the European Commission.',
  },
  {
    name: 'Stored VAT checks',
    description:
      'Checks that are kept until the registry answers, however long it is unavailable, and then as proof. They belong to the key that created them.',
  },
  {
    name: 'Watches',
    description:
      'VAT numbers that are checked again and again. A webhook reports a change between two answers, never an outage.',
  },
  { name: 'Your key', description: 'The limits of your key.' },
  {
    name: 'Webhooks',
    description:
      'Webhooks send changes to your server, so that you need not poll for them. Deliveries follow Standard Webhooks 1.0, which has libraries that verify them: https://www.standardwebhooks.com',
  },
  {
    name: 'Events',
    description:
      'The log of all events, for callers that cannot receive webhooks or missed some: they read it in order, and wait for the next event if they like.',
  },
  { name: 'Status', description: 'The state of the service.' },
  { name: 'Reference', description: 'This reference.' },
];
