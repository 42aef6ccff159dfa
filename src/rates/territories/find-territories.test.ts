import { expect, it } from 'vitest';
import { findTerritories, parsePostcode } from './find-territories.ts';

const table = `
  ES 35001 → ES-CN | ES 38-679 → ES-CN | IC 35001 → ES-CN | ES 28001 → | ES 51001 → ES-CE | ES 52006 → ES-ML
  ES 35 → | ES 350010 → | DE 27498 → DE-HEL | DE D-78266 → DE-BUS | CH CH-8238 → DE-BUS | DE 78267 →
  IT 23041 → IT-LIV | IT 22061 → IT-CAM | FI 22100 → AX | AX AX-22100 → AX | FI 00100 → | GR 63086 → GR-69
  GR 85300 → GR-AEG4 | GR 85303 → GR-AEG4A | GR 85400 → GR-AEG4A | GR 85100 → | FR 97110 → GP | FR 97133 → BL
  FR 97150 → MF | GP 97110 → GP | FR 97200 → MQ | FR 97300 → GF | FR 97400 → RE | FR 97700 → RE | FR 97600 → YT
  FR 20000 → FR-20R | FR 98000 → MC | FR 75001 → | PT 9400-123 → PT-30 | PT 9000 → PT-30 | PT 9500-321 → PT-20
  PT 1000-001 → | AT 6691 → AT-JUN | DE 87491 → AT-JUN | AT 6992 → AT-MIT | AT 6690 → | GB BFPO 57 → CY-SBA
  GB BT1 1AA → XI | XI BT1 → XI | GB IM1 1AA → IM | GB SW1A 1AA → | DK 3900 → GL | DK 1000 → | IT 47890 → SM
  IT 47899 → SM | IT 47900 → | IT 00120 → VA | IT 00121 → | GB GX11 1AA → GI | GB BF1 2AT → CY-SBA
  CH 6911 → IT-CAM | CY 4640 → | CY 9900 → CY-N | CY 9000 → CY-N | CY CY-9999 → CY-N | CY 99300 → CY-N | CY 8999 →
  CY 98999 → | ES 3500A →`;
const places = table
  .split(/[|\n]/)
  .filter((one) => one.trim() !== '')
  .map((one) =>
    /^ *(\S+) (.+?) →(.*)$/
      .exec(one)!
      .slice(1, 4)
      .map((part) => part.trim()),
  );

it.each(places)('%s %s is in %j (rule G8)', (country, text, code) => {
  const postcode = parsePostcode(text, country);

  const { territories } = findTerritories(country, postcode);

  expect(territories.map((one) => one.code)).toEqual(code === '' ? [] : [code]);
});

it.each(['', '350/01', '12345678901'])('%j is no postcode', (text) => {
  expect(parsePostcode(text, 'ES')).toBeUndefined();
});

it.each<[string, string | undefined, string[], boolean | undefined]>([
  ['ES', '35001', ['ES-CN'], true],
  ['ES', '28001', [], true],
  ['FR', '97133', ['BL'], true],
  ['CY', '9900', ['CY-N'], true],
  ['CY', '99300', ['CY-N'], true],
  ['CY', '1010', [], true],
  // Other places have the postcode as well.
  ['IT', '23030', ['IT-LIV'], false],
  ['IT', '22060', ['IT-CAM'], false],
  // No postcode of the country.
  ['ES', '35', [], false],
  ['IT', '120', [], false],
  ['DK', '100', [], false],
  ['CY', '98999', [], false],
  ['CY', '990000', [], false],
  ['ES', 'MADRI', [], false],
  // The country alone decides.
  ['FO', undefined, ['FO'], true],
  ['FO', '100', ['FO'], true],
  ['BQ', undefined, ['BQ'], true],
  ['MC', undefined, ['MC'], true],
  ['GI', undefined, ['GI'], true],
  ['XI', undefined, ['XI'], true],
  ['IC', '28001', ['ES-CN'], true],
  ['GP', '97133', ['GP'], true],
  ['ES-CN', undefined, ['ES-CN'], true],
  ['FR-971', undefined, ['GP'], true],
  ['EA', '52006', ['ES-ML'], true],
  ['EA', undefined, ['ES-CE', 'ES-ML'], false],
  ['EA', '28001', ['ES-CE', 'ES-ML'], false],
  ['AT', undefined, ['AT-JUN', 'AT-MIT'], undefined],
])('%s %s has %j, and is decided or not: %s (rule G8)', (country, postcode, codes, isDecided) => {
  const { territories, decided } = findTerritories(country, postcode);

  expect([territories.map(({ code }) => code), decided]).toEqual([codes, isDecided]);
});
