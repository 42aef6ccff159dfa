import type { Trader } from '../scenario/vies-state.ts';

/**
 * The book of traders, all of them made up: no number passes the check digits of its country where it
 * has any, names say "made up" or "imaginary" in the language of the country, and so do the streets.
 *
 * Real is the form only: the national formats of the numbers, and how each registry lays out its
 * addresses.
 */
export const traderBook: readonly Trader[] = [
  // The `U` belongs to the number.
  trader('AT', 'U99999901', 'Erfundene Backwaren GmbH', 'Erfindergasse 1\nAT-1010 Wien'),
  trader('AT', 'U99999903', 'Erdachte & Söhne KG', 'Luftschlossallee 7\nAT-5020 Salzburg'),
  trader('BE', '0999999901', 'BV VERZONNEN HANDEL', 'Luchtkasteelstraat 1\n1000 Brussel'),
  trader('BE', '1999999902', 'SA COMMERCE IMAGINAIRE', 'Rue Imaginaire 2\n4000 Liège'),
  trader(
    'BG',
    '999999901',
    'ИЗМИСЛЕНА ТЪРГОВИЯ - ЕООД',
    'ул. ИЗМИСЛЕНА №1 обл.СОФИЯ, гр.СОФИЯ 1000',
  ),
  trader(
    'BG',
    '9999999904',
    'ВЪОБРАЖАЕМИ УСЛУГИ - ООД',
    'бул. ВЪОБРАЖАЕМ №22, ет.3 обл.ВАРНА, гр.ВАРНА 9000',
  ),
  trader('CY', '99999901Z', 'ΦΑΝΤΑΣΤΙΚΗ ΕΜΠΟΡΙΚΗ ΛΤΔ', 'Φανταστική, 1\nΛευκωσία, 1010, ΚΥΠΡΟΣ'),
  trader(
    'CY',
    '99999902Z',
    'IMAGINARY SHIPPING LTD',
    'Imaginary Street, 2\nLimassol, 3030, CYPRUS',
  ),
  // Blanks are doubled in front of the district.
  trader(
    'CZ',
    '99999902',
    'Smyšlené pečivo s.r.o.',
    'Smyšlená 1444/2\nPRAHA 4 - MICHLE\n140 00  PRAHA 4',
  ),
  trader('CZ', '999999902', 'Jan Vymyšlený', 'Vymyšlená 7\nBRNO\n602 00  BRNO 2'),
  trader('CZ', '9999999903', 'Marie Smyšlená', 'Smyšlená 12\nOSTRAVA\n702 00  OSTRAVA'),
  // Germany and Spain withhold name and address.
  trader('DE', '999999901'),
  trader('DE', '999999902'),
  trader('DK', '99999901', 'OPDIGTET HANDEL ApS', 'Opdigtet Vej 1\n1000 København K'),
  trader('DK', '99999902', 'OPDIGTET & SØN A/S', 'Opdigtet Allé 12, 3. tv\n8000 Aarhus C'),
  trader('EE', '109999901', 'Väljamõeldud Kaubandus OÜ', 'Väljamõeldud tn 1   10111 Tallinn'),
  trader('EE', '109999903', 'Kujuteldav Teenus AS', 'Kujuteldava tee 8/1   51003 Tartu linn'),
  // Greece puts the name of the business behind two bars.
  trader('EL', '999999901', 'ΦΑΝΤΑΣΤΙΚΗ ΕΜΠΟΡΙΚΗ ΑΕ||ΕΠΙΝΟΗΜΑ', 'ΦΑΝΤΑΣΤΙΚΗΣ 1 \n10431 - ΑΘΗΝΑ'),
  trader('EL', '999999902', 'ΕΠΙΝΟΗΜΕΝΟΣ ΓΕΩΡΓΙΟΣ', 'ΕΠΙΝΟΗΣΗΣ 27 \n54622 - ΘΕΣΣΑΛΟΝΙΚΗ'),
  trader('ES', 'X9999990X'),
  trader('ES', 'B99999902'),
  trader('ES', '99999903X'),
  trader('FI', '99999901', 'Keksitty Kauppa Oy', 'Keksitty katu 1\n00100 HELSINKI'),
  trader('FI', '99999902', 'Kuviteltu Palvelu Ab', 'Kuviteltu tie 4 B\n33100 TAMPERE'),
  trader('FR', '00999999901', 'SAS SOCIETE IMAGINAIRE', '1 RUE IMAGINAIRE\n75001 PARIS'),
  trader('FR', 'ZZ999999902', 'SARL INVENTEE & FILS', '12 B AVENUE INVENTEE\n\n69002 LYON'),
  trader(
    'HR',
    '99999999901',
    'IZMIŠLJENA TRGOVINA D.O.O.',
    'IZMIŠLJENA ULICA 1, ZAGREB, 10000 ZAGREB',
  ),
  trader('HR', '99999999903', 'ZAMIŠLJENI OBRT', 'ZAMIŠLJENA 15, SPLIT, 21000 SPLIT'),
  trader('HU', '99999901', 'KITALÁLT KERESKEDELMI KFT.', 'KITALÁLT UTCA 1. 1011 BUDAPEST'),
  trader('HU', '99999902', 'KÉPZELETBELI ZRT.', 'KÉPZELET TÉR 3. II. EM. 6 6720 SZEGED'),
  trader(
    'IE',
    '9999901TA',
    'IMAGINARY TRADING LIMITED',
    '1 IMAGINARY STREET, DUBLIN 2, CO. DUBLIN',
  ),
  trader('IE', '9Z99902W', 'MADE UP & SONS LIMITED', 'UNIT 7, MADE UP BUSINESS PARK, CORK'),
  trader('IE', '9+99903W', 'MADE UP FARMS', 'INVENTED, CO. GALWAY'),
  // A blank before each line break, and a line break at the end.
  trader(
    'IT',
    '99999999901',
    'COMMERCIO IMMAGINARIO S.R.L.',
    'VIA IMMAGINARIA 91 \n00184 ROMA RM\n',
  ),
  trader(
    'IT',
    '99999999902',
    'INVENTATI & FIGLI S.P.A.',
    "PIAZZA DELL'INVENZIONE 3 \n20121 MILANO MI\n",
  ),
  trader(
    'LT',
    '999999901',
    'UAB "Išgalvota prekyba"',
    'Išgalvota g. 1, Vilnius, LT-01001 Vilniaus m. sav.',
  ),
  trader(
    'LT',
    '999999999902',
    'Įsivaizduojama įmonė, MB',
    'Įsivaizduojamos g. 2-14, Kaunas, LT-44001 Kauno m. sav.',
  ),
  trader('LU', '99999901', 'SOCIETE IMAGINAIRE S.A R.L.', '1, RUE IMAGINAIRE\nL-1111  LUXEMBOURG'),
  trader('LU', '99999902', 'ERFONNT S.A.', '38, AVENUE INVENTEE\nL-4001  ESCH-SUR-ALZETTE'),
  trader('LV', '99999999901', 'SIA "Izdomāta tirdzniecība"', 'Izdomātā iela 1, Rīga, LV-1010'),
  trader('LV', '99999999903', 'AS "Iedomu pakalpojumi"', 'Iedomu iela 5 - 12, Liepāja, LV-3401'),
  trader('MT', '99999901', 'IVVINTAT TRADING LIMITED', '1\nTRIQ L-IVVINTAT\n\nVALLETTA VLT 1010'),
  trader(
    'MT',
    '99999902',
    'IMMAGINARJU & CO LTD',
    'DAR L-IMMAGINARJU, 14\nTRIQ IMMAGINARJA\nSLIEMA\nSLM 1011',
  ),
  // A line break on either side, house numbers of five digits.
  trader(
    'NL',
    '999999901B01',
    'VERZONNEN HANDEL B.V.',
    '\nVERZONNENSTRAAT 00068\n1017HL AMSTERDAM\n',
  ),
  trader('NL', '999999902B99', 'BEDACHT & ZN', '\nLUCHTKASTEEL 00007 A\n3511AA UTRECHT\n'),
  trader('PL', '9999999903', 'ZMYŚLONY HANDEL SPÓŁKA Z O.O.', 'ZMYŚLONA 1\n00-001 WARSZAWA'),
  trader('PL', '9999999902', 'WYIMAGINOWANE USŁUGI S.A.', 'UL. WYIMAGINOWANA 5/8\n30-001 KRAKÓW'),
  trader(
    'PT',
    '999999901',
    'COMERCIO IMAGINARIO LDA',
    'RUA IMAGINARIA N 1\nLISBOA\n1000-001 LISBOA',
  ),
  trader(
    'PT',
    '999999902',
    'INVENTADO & FILHOS SA',
    'AV INVENTADA N 200 2 ESQ\nPORTO\n4000-001 PORTO',
  ),
  // Two digits are enough in Romania.
  trader('RO', '99', 'NASCOCIT SRL', 'MUNICIPIUL BUCUREŞTI, SECTOR 1\nSTR. NĂSCOCITĂ, NR.1'),
  trader(
    'RO',
    '9999999904',
    'INVENTAT PROD S.A.',
    'JUD. CLUJ, MUN. CLUJ-NAPOCA\nSTR. IMAGINARĂ, NR.16, AP.3',
  ),
  trader('SE', '999999990101', 'Påhittad Handel AB', 'PÅHITTADE GATAN 1 \n111 22 STOCKHOLM'),
  trader('SE', '999999990201', 'Påhittat & Co HB', 'BOX 99999 \n411 03 GÖTEBORG'),
  trader(
    'SI',
    '99999901',
    'IZMIŠLJENA TRGOVINA d.o.o.',
    'IZMIŠLJENA ULICA 1, LJUBLJANA, 1000 LJUBLJANA',
  ),
  trader('SI', '99999902', 'NAMIŠLJENE STORITVE, s.p.', 'NAMIŠLJENA CESTA 8, 2000 MARIBOR'),
  trader(
    'SK',
    '9999999901',
    'Vymyslený obchod, s. r. o.',
    'Vymyslená 1\n81101 Bratislava - mestská časť Staré Mesto\nSlovensko',
  ),
  trader('SK', '9999999902', 'Zdanlivé služby, a.s.', 'Zdanlivá 1444/2\n04001 Košice\nSlovensko'),
  trader('XI', '999999901', 'MADE UP TRADING LTD', '1 IMAGINARY STREET\nBELFAST\n\nBT1 9ZZ'),
  trader('XI', '999999902001', 'IMAGINARY BRANCH & CO', 'UNIT 2\nMADE UP ESTATE\nDERRY\nBT48 9ZZ'),
  trader('XI', 'GD999', 'IMAGINARY DEPARTMENT', 'MADE UP HOUSE\nBELFAST\nBT2 9ZZ'),
];

/** Without a name, the Member State withholds both. */
function trader(country: string, number: string, name = '---', address = '---'): Trader {
  return { country, number, name, address };
}
