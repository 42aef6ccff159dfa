import type { ValueOf } from '../../platform/fields/schema.ts';
import { toWire } from '../../platform/fields/to-wire.ts';
import { goodsErratum, nationalErratum } from './definitions.ts';
import type { KnownErratum } from './erratum.ts';
import type { KnownGoodsErratum } from './goods-erratum.ts';

/** An erratum of a national rate, as answers print it. */
export function asListed(erratum: KnownErratum): ValueOf<typeof nationalErratum> {
  return { ...erratum, kind: 'national', by: erratum.by ?? undefined };
}

/** An erratum of goods, in the same way. */
export function asListedGoods(erratum: KnownGoodsErratum): ValueOf<typeof goodsErratum> {
  return { ...erratum, kind: 'goods', by: erratum.by ?? undefined };
}

/** An erratum of a national rate as in the API, for `vatfx errata … --json` (rule X1). */
export function toWireNational(erratum: KnownErratum): object {
  return toWire(nationalErratum, asListed(erratum));
}

/** An erratum of goods, in the same way (rule X7). */
export function toWireGoods(erratum: KnownGoodsErratum): object {
  return toWire(goodsErratum, asListedGoods(erratum));
}
