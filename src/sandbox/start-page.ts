import { simulators } from './simulators.ts';
import type { Answer } from './transport/answer.ts';

/** The page that a browser shows; its examples use the URL given. */
export function makeStartPage(url: string): Answer {
  return {
    status: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
    body: introduction.replaceAll('SANDBOX', url),
  };
}

const upstreamLines = simulators
  .flatMap(({ methods: [method], path, served }) =>
    Object.entries(served).map(
      ([file, text]) => `${method.padEnd(4)} ${`${path}${file}`.padEnd(48)} ${text}`,
    ),
  )
  .join('\n');

const introduction = `vatfx sandbox: simulated upstreams and webhook receivers, for experiments and tests.

${upstreamLines}
GET, POST, DELETE /_scenario                          the scenario: the date, rate changes, faults
POST /receiver/{name}                                 a webhook receiver, by any name
GET, PUT, DELETE /receiver/{name}                     ... its deliveries, its secrets and its answer

What is real and what is not

- VAT rates are the real history of the EU-27 since 2016, including the errors of the database. Rows
  of goods have the real form: those of Germany and Spain, and a part of those of Belgium, Italy and
  the Netherlands, are real ones of August 2025. All others are invented in part.
- Traders are made up, all of them, and so are their VAT numbers; only the forms are real. The test
  numbers of the real service work for every Member State: 100 is valid, 200 is not, 201 to 601 fail.
- Rate changes of the scenario are made up.
- Rates of the Polish and of the Czech national bank are generated around two real publications each of
  2026; their numbers and days follow the holidays of both countries.
- Euro reference rates are generated. Only the first and last fixing of each currency and the fixings
  at the end of each year are real, up to 13 April 2026. All others are made up and must not be used
  for anything but tests.

Examples

curl -X POST SANDBOX/_scenario -d '{"say": "HU standard 27 → 25 from tomorrow"}'
curl -X POST SANDBOX/_scenario -d '{"today": "tomorrow"}'
curl -X POST SANDBOX/_scenario -d '{"say": "the ECB is a day late"}'
curl -X POST SANDBOX/_scenario -d '{"nbp": {"missing": ["2026-03-03"]}}'
curl -X POST SANDBOX/_scenario -d '{"say": "DE is down for 40 minutes"}'
curl -X POST SANDBOX/_scenario -d '{"tedb": {"fault": "truncated", "times": 2}}'
curl -X POST SANDBOX/_scenario -d '{"vies": {"memberStates": {"FR": {"latencyMs": 800}}}}'
curl -X PUT SANDBOX/receiver/shop --data '{"answer": {"status": 503, "times": 2}}'
`;
