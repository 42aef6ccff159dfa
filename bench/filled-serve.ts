import { startServer } from '../src/server.ts';
import { loadConfig } from '../src/platform/config/config.ts';
import { createLog } from '../src/platform/log.ts';
import { AnswerCache } from '../src/vat-check/cache.ts';
import { parseVatNumber } from '../src/vat-check/vat-number.ts';

/**
 * `serve` with answers of the VAT registry in its cache, as many as its argument says, for P11.
 *
 * 100,000 checks one by one would take longer than a bench may. So the answers are put into the cache directly: the
 * service is composed as always, its cache is found when a check first reads it, and from then on everything is the
 * same as in `serve`. Every answer has a name and an address of the usual length. A good part of the Member States
 * withhold them, so real answers take less memory.
 */
const count = Number(process.argv[2]);
const { config } = loadConfig();
const service = await startServer({ config, log: createLog(config.logLevel, process.stdout) });
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
  cache.keep(numberOf(n), answer, undefined);
}
process.once('SIGTERM', () => void service.stop());
console.log('filled');

function catchCache(): AnswerCache {
  const caught: AnswerCache[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this`
  const { find } = AnswerCache.prototype;
  AnswerCache.prototype.find = function (this: AnswerCache, vatNumber) {
    caught.push(this);
    return find.call(this, vatNumber);
  };
  service.core.checks.findCached(numberOf(0));
  AnswerCache.prototype.find = find;
  const [cache] = caught;
  if (cache === undefined) throw new Error('a check does not look into the cache any more');
  return cache;
}

function numberOf(n: number) {
  const vatNumber = parseVatNumber('FR', String(10_000_000_000 + n));
  if (vatNumber === undefined) throw new Error(`number ${n} is none`);
  return vatNumber;
}

/** A flat string, as a parser makes it. A concatenated string would keep its parts in memory. */
function flatten(text: string): string {
  return Buffer.from(text).toString();
}
