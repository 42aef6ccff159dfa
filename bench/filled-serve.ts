import { startServer } from '../src/composition/server.ts';
import { loadConfig } from '../src/platform/config/config.ts';
import { createLog } from '../src/platform/log/log.ts';
import { AnswerCache } from '../src/vat-check/look-up/cache.ts';
import { parseVatNumber } from '../src/vat-check/numbers/vat-number.ts';

/**
 * `serve` with answers of the VAT registry in its cache, as many as its argument says, for P11.
 *
 * 100,000 checks one by one would take too long, so the answers are put into the cache directly. The service is composed
 * as always, and `findCache` gets its cache from the first check that reads it. Every answer has a name and an address
 * of the usual length. Many Member States withhold them, so real answers take less memory.
 */
const count = Number(process.argv[2]);
const { config } = loadConfig();
const service = await startServer({ config, log: createLog(config.logLevel, process.stdout) });
const cache = findCache();
for (let n = 0; n < count; n += 1) {
  const answer = {
    valid: true,
    requestDate: '2026-11-21+01:00',
    name: flatten(`SARL ENTREPRISE ${n}`),
    address: flatten(
      `${n % 300} RUE DE LA REPUBLIQUE\n${10_000 + (n % 80_000)} VILLE ${n % 1_000}`,
    ),
  };
  cache.keep(numberOf(n), answer, undefined);
}
process.once('SIGTERM', () => void service.stop());
console.log('filled');

function findCache(): AnswerCache {
  const found: AnswerCache[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this`
  const { find } = AnswerCache.prototype;
  AnswerCache.prototype.find = function (this: AnswerCache, vatNumber) {
    found.push(this);
    return find.call(this, vatNumber);
  };
  service.core.checks.findCached(numberOf(0));
  AnswerCache.prototype.find = find;
  const [cache] = found;
  if (cache === undefined) throw new Error('the check did not read the cache');
  return cache;
}

function numberOf(n: number) {
  const vatNumber = parseVatNumber('FR', String(10_000_000_000 + n));
  if (vatNumber === undefined) throw new Error(`${n} does not make a VAT number`);
  return vatNumber;
}

/** A flat string, as a parser makes it. A concatenated string would keep its parts in memory. */
function flatten(text: string): string {
  return Buffer.from(text).toString();
}
