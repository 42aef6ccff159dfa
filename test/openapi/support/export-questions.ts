import type { Read } from './read.ts';

const shops = ['/rates/export/woocommerce.csv', '/rates/export/magento.csv'];

/** The VAT rates in forms that shops and programs import. */
export const exportPaths: readonly string[] = [...shops, '/rates/export/vat-rates.json'];

/** Reads of them. */
export const exportReads: readonly Read[] = [
  ...exportPaths.map((path): Read => [200, path]),
  ...shops.flatMap((path): Read[] => [
    [200, `${path}?date=2026-11-19`],
    [400, `${path}?date=2026-02-30`],
    [404, `${path}?date=2026-11-21`],
  ]),
];
