import type { AddExample } from './examples.ts';
import type { Send } from './world.ts';

/** Adds the examples of the files for shops and of the list of periods, shortened to their beginnings. */
export async function addRateExports(send: Send, addExample: AddExample): Promise<void> {
  const read = async (path: string): Promise<string> => (await send('GET', path)).text;
  const beginningOf = (file: string): string => file.split('\r\n').slice(0, 9).join('\r\n');
  const wooCommerce = await read('/rates/export/woocommerce.csv');
  addExample('exportWooCommerceCsv', 'The first rows', beginningOf(wooCommerce));
  const magento = await read('/rates/export/magento.csv?date=2026-11-19');
  addExample('exportMagentoCsv', 'The first rows of a date', beginningOf(magento));
  const { items, ...rest } = JSON.parse(await read('/rates/export/vat-rates.json')) as {
    readonly items: Readonly<Record<string, unknown>>;
  };
  const shown = { HU: items['HU'], PT: items['PT'] };
  addExample('exportVatRates', 'Two of the countries', JSON.stringify({ ...rest, items: shown }));
}
