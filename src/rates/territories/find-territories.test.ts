import { describe, expect, it } from 'vitest';
import { findTerritories, parsePostcode } from './find-territories.ts';

/** The codes of the territories with an address, or `malformed`. */
function find(country: string, text: string): readonly string[] | 'malformed' {
  const postcode = parsePostcode(text, country);
  if (postcode === undefined) return 'malformed';
  return findTerritories(country, postcode).territories.map(({ code }) => code);
}

describe('findTerritories (rule G8)', () => {
  it.each([
    ['ES', '35001', ['ES-CN']],
    ['ES', '38-679', ['ES-CN']],
    ['IC', '35001', ['ES-CN']],
    ['ES', '28001', []],
    ['ES', '51001', ['ES-CE']],
    ['ES', '52006', ['ES-ML']],
    ['ES', '35', []],
    ['ES', '350010', []],
    ['DE', '27498', ['DE-HEL']],
    ['DE', 'D-78266', ['DE-BUS']],
    ['CH', 'CH-8238', ['DE-BUS']],
    ['DE', '78267', []],
    ['IT', '23041', ['IT-LIV']],
    ['IT', '22061', ['IT-CAM']],
    ['FI', '22100', ['AX']],
    ['AX', 'AX-22100', ['AX']],
    ['FI', '00100', []],
    ['GR', '63086', ['GR-69']],
    ['GR', '85300', ['GR-AEG4']],
    ['GR', '85303', ['GR-AEG4A']],
    ['GR', '85400', ['GR-AEG4A']],
    ['GR', '85100', []],
    ['FR', '97110', ['GP']],
    ['FR', '97133', ['BL']],
    ['FR', '97150', ['MF']],
    ['GP', '97110', ['GP']],
    ['FR', '97200', ['MQ']],
    ['FR', '97300', ['GF']],
    ['FR', '97400', ['RE']],
    ['FR', '97700', ['RE']],
    ['FR', '97600', ['YT']],
    ['FR', '20000', ['FR-20R']],
    ['FR', '98000', ['MC']],
    ['FR', '75001', []],
    ['PT', '9400-123', ['PT-30']],
    ['PT', '9000', ['PT-30']],
    ['PT', '9500-321', ['PT-20']],
    ['PT', '1000-001', []],
    ['AT', '6691', ['AT-JUN']],
    ['DE', '87491', ['AT-JUN']],
    ['AT', '6992', ['AT-MIT']],
    ['AT', '6690', []],
    ['GB', 'BFPO 57', ['CY-SBA']],
    ['GB', 'BT1 1AA', ['XI']],
    ['XI', 'BT1', ['XI']],
    ['GB', 'IM1 1AA', ['IM']],
    ['GB', 'SW1A 1AA', []],
    ['DK', '3900', ['GL']],
    ['DK', '1000', []],
    ['IT', '47890', ['SM']],
    ['IT', '47899', ['SM']],
    ['IT', '47900', []],
    ['IT', '00120', ['VA']],
    ['IT', '00121', []],
    ['GB', 'GX11 1AA', ['GI']],
    ['GB', 'BF1 2AT', ['CY-SBA']],
    ['CH', '6911', ['IT-CAM']],
    ['CY', '4640', []],
    ['ES', '', 'malformed'],
    ['ES', '350/01', 'malformed'],
    ['ES', '12345678901', 'malformed'],
  ])('%s %s is in %j', (country, postcode, codes) => {
    expect(find(country, postcode)).toEqual(codes);
  });

  it.each([
    ['IT', '23030', ['IT-LIV']],
    ['IT', '22060', ['IT-CAM']],
  ])('%s %s, which other places have as well, is not decided', (country, postcode, codes) => {
    const match = findTerritories(country, postcode);

    expect(match.territories.map(({ code }) => code)).toEqual(codes);
    expect(match.decided).toBe(false);
  });

  it.each([
    ['ES', '35'],
    ['IT', '120'],
    ['DK', '100'],
  ])('%s %s, which is no postcode of the country, is not decided', (country, postcode) => {
    expect(findTerritories(country, postcode)).toEqual({ territories: [], decided: false });
  });

  it.each([
    ['FO', undefined, ['FO']],
    ['FO', '100', ['FO']],
    ['BQ', undefined, ['BQ']],
    ['MC', undefined, ['MC']],
    ['GI', undefined, ['GI']],
    ['XI', undefined, ['XI']],
    ['IC', '28001', ['ES-CN']],
    ['GP', '97133', ['GP']],
    ['ES-CN', undefined, ['ES-CN']],
    ['FR-971', undefined, ['GP']],
    ['EA', '52006', ['ES-ML']],
  ])('the country %s decides with the postcode %s', (country, postcode, codes) => {
    const match = findTerritories(country, postcode);

    expect(match.territories.map(({ code }) => code)).toEqual(codes);
    expect(match.decided).toBe(true);
  });

  it.each([undefined, '28001'])('the country EA with the postcode %s can be two', (postcode) => {
    const match = findTerritories('EA', postcode);

    expect(match.territories.map(({ code }) => code)).toEqual(['ES-CE', 'ES-ML']);
    expect(match.decided).toBe(false);
  });

  it('a country without a postcode has all its territories, and nothing to decide', () => {
    const { territories, decided } = findTerritories('AT', undefined);

    expect(territories.map(({ code }) => code)).toEqual(['AT-JUN', 'AT-MIT']);
    expect(decided).toBeUndefined();
  });

  it.each([
    ['ES', '35001'],
    ['ES', '28001'],
    ['FR', '97133'],
  ])('%s %s is decided', (country, postcode) => {
    expect(findTerritories(country, postcode).decided).toBe(true);
  });
});
