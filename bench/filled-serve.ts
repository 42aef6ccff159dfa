import { startService } from '../src/service.ts';
import { loadConfig } from '../src/platform/config/config.ts';
import { createLog } from '../src/platform/log.ts';
import { AnswerCache } from '../src/vat-check/cache.ts';
import { parseVatNumber } from '../src/vat-check/vat-number.ts';

/**
 * `serve` with answers of the VAT registry in its cache, as many as its argument says, for P11.
 *
 * A million answers cannot be asked for one by one within the time of a bench. So they are put where a check
 * puts them, by the method with which it does: the service is composed as ever, its cache is caught as it is
 * looked into, and from then on nothing is different from `serve`. Every answer has a name and an address, as
 * long as they usually are; a good part of the Member States withhold them, so this is more than a real
 * million takes.
 */
const count = Number(process.argv[2]);
const { config } = loadConfig();
const service = await startService({ config, log: createLog(config.logLevel, process.stdout) });
const cache = catchCache();
for (let n = 0; n < count; n += 1) {
  const answer = {
    valid: true,
    requestDate: '2026-11-21+01:00',
    name: flatten(`SARL ENTREPRISE ${n}`),
    address: flatten(
      `${n % 300} RUE DE LA REPUBLIQUE\n${10_000 + (n % 80_000)} VILLE ${n % 1_000}`,
    ),
  };
  cache.keep(numberOf(n), answer, null);
}
process.once('SIGTERM', () => void service.stop());
console.log('filled');

function catchCache(): AnswerCache {
  const caught: AnswerCache[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this`
  const { findTail } = AnswerCache.prototype;
  AnswerCache.prototype.findTail = function (this: AnswerCache, vatNumber) {
    caught.push(this);
    return findTail.call(this, vatNumber);
  };
  service.core.checks.findCached(numberOf(0));
  AnswerCache.prototype.findTail = findTail;
  const [cache] = caught;
  if (cache === undefined) throw new Error('a check does not look into the cache any more');
  return cache;
}

function numberOf(n: number) {
  const vatNumber = parseVatNumber('FR', String(10_000_000_000 + n));
  if (vatNumber === undefined) throw new Error(`number ${n} is none`);
  return vatNumber;
}

/** A string of its own, as a parser makes it: put together it would keep its parts alive. */
function flatten(text: string): string {
  return Buffer.from(text).toString();
}
