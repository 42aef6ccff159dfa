import type { Sample } from './mails.ts';

const isBritish = 'Great Britain is not in VIES';
const hasNone = 'it has no VAT number';

/** Cells of spreadsheets, with and without headings. All of them are invented. */
export const tables: readonly Sample[] = [
  {
    language: 'de',
    title: 'amounts beside numbers',
    country: '',
    text: `Kunde;USt-IdNr.;Umsatz
Muster GmbH;DE999999901;1.234.567,89
Beispiel AG;DE 999 999 902;99,00
Leer KG;;123456789`,
    numbers: ['DE 999999901', 'DE 999999902'],
    named: [hasNone],
  },
  {
    language: 'de',
    title: 'a label in each cell',
    country: '',
    text: `Name,VAT ID,Comment
Müller,USt-IdNr.: DE 999 999 901,ok
Huber,UID-Nr. ATU99999901,"ruft zurück, morgen"`,
    numbers: ['DE 999999901', 'AT U99999901'],
  },
  {
    language: 'de',
    title: 'countries in German',
    country: '',
    text: `Firma;Land;Nummer
Muster;Deutschland;999999901
Huber;Österreich;U99999901
Dupont;Frankreich;00999999901
Alpen;Schweiz;CHE123456789`,
    numbers: ['DE 999999901', 'AT U99999901', 'FR 00999999901'],
    named: ['Switzerland is not in VIES: its registry is the UID'],
  },
  {
    language: 'fr',
    title: 'columns between tabs',
    country: '',
    text: `Client\tN° TVA\tPays\tVille
Dupont SA\t00999999901\tFrance\tLyon
Peeters\tBE 0999.999.901\tBelgique\tGand
Schmit\t99999901\tLuxembourg\tEsch`,
    numbers: ['FR 00999999901', 'BE 0999999901', 'LU 99999901'],
  },
  {
    language: 'fr',
    title: 'no headings, and labels',
    country: 'FR',
    text: `Dupont SA;TVA : 00 999999901;Lyon
Durand;TVA FR00999999902;Paris
Martin;N° TVA 00999999903;Lille`,
    numbers: ['FR 00999999901', 'FR 00999999902', 'FR 00999999903'],
  },
  {
    language: 'es',
    title: 'cells with and without a label',
    country: 'ES',
    text: `CIF;Nombre;Provincia
B99999902;Comercio Imaginario SL;Sevilla
CIF B99999903;Ejemplo SA;Madrid
NIF: A99999901;Otra SA;León`,
    numbers: ['ES B99999902', 'ES B99999903', 'ES A99999901'],
  },
  {
    language: 'es',
    title: 'countries in Spanish',
    country: '',
    text: `País;NIF;Razón social
España;B99999902;Comercio Imaginario SL
Portugal;999999901;Exemplo Lda
Alemania;999999901;Muster GmbH`,
    numbers: ['ES B99999902', 'PT 999999901', 'DE 999999901'],
  },
  {
    language: 'it',
    title: 'postcodes beside numbers',
    country: 'IT',
    text: `Ragione sociale;P.IVA;CAP;Città
Rossi srl;99999900012;00100;Roma
Bianchi spa;P.IVA 99999900020;20121;Milano`,
    numbers: ['IT 99999900012', 'IT 99999900020'],
  },
  {
    language: 'it',
    title: 'the tax code before the number, in the same form',
    country: 'IT',
    text: `Cliente;Codice fiscale;Partita IVA
Rossi srl;12345678901;99999900012
Bianchi spa;12345678902;99999900020`,
    numbers: ['IT 99999900012', 'IT 99999900020'],
  },
  {
    language: 'pl',
    title: 'countries in Polish',
    country: '',
    text: `Kontrahent;NIP;Kraj
Przykład sp. z o.o.;999-999-99-01;Polska
Muster GmbH;999999901;Niemcy`,
    numbers: ['PL 9999999901', 'DE 999999901'],
  },
  {
    language: 'pl',
    title: 'another register and telephones beside numbers',
    country: 'PL',
    text: `KRS;Telefon;NIP;Miasto
0000123456;0221234567;9999999901;Łódź
0000123457;0221234568;999 999 99 02;Kraków`,
    numbers: ['PL 9999999901', 'PL 9999999902'],
  },
  {
    language: 'cs',
    title: 'the number of the company beside that of the tax',
    country: '',
    text: `Firma;IČO;DIČ;Ulice;PSČ;Město
Příklad s.r.o.;99999901;CZ99999901;Dlouhá 1;602 00;Brno
Vzor a.s.;99999902;CZ99999902;Krátká 2;110 00;Praha`,
    numbers: ['CZ 99999901', 'CZ 99999902'],
  },
  {
    language: 'cs',
    title: 'both without letters',
    country: 'CZ',
    text: `Firma;IČO;DIČ
Příklad s.r.o.;99999911;99999901
Vzor a.s.;99999912;99999902`,
    numbers: ['CZ 99999901', 'CZ 99999902'],
  },
  {
    language: 'el',
    title: 'countries in Greek',
    country: '',
    text: `Επωνυμία;ΑΦΜ;Χώρα
Φανταστική ΑΕ;999999901;Ελλάδα
Παράδειγμα Λτδ;99999901L;Κύπρος`,
    numbers: ['GR 999999901', 'CY 99999901L'],
  },
  {
    language: 'el',
    title: 'telephones before numbers, with labels',
    country: 'GR',
    text: `Τηλέφωνο,ΑΦΜ,Πόλη
210123456,ΑΦΜ 999999901,Αθήνα
210123457,ΑΦΜ: EL999999902,Πάτρα`,
    numbers: ['GR 999999901', 'GR 999999902'],
  },
  {
    language: 'en',
    title: 'countries in English',
    country: '',
    text: `Customer,VAT number,Country
Muster GmbH,999999901,Germany
Example Ltd,123456789,United Kingdom
Old Mill,GB 123456789,
Emerald,9999999WA,Ireland`,
    numbers: ['DE 999999901', 'IE 9999999WA'],
    named: [isBritish, isBritish],
  },
  {
    language: 'en',
    title: 'amounts alone',
    country: 'DE',
    text: `Invoice,Net,VAT
2026-1044,1234.50,234.55
2026-1045,99.00,18.81`,
    numbers: [],
  },
  {
    language: 'nl',
    title: 'pipes, and dots in numbers',
    country: '',
    text: `Klant|BTW-nummer|Land
Voorbeeld BV|NL9999.99.901.B01|Nederland
Peeters|0999.999.901|België`,
    numbers: ['NL 999999901B01', 'BE 0999999901'],
  },
  {
    language: 'pt',
    title: 'an address beside numbers',
    country: 'PT',
    text: `Cliente;NIF;Morada;Código postal;Localidade
Exemplo Lda;999 999 901;Rua Nova 1;1000-001;Lisboa
Fulano SA;NIF 999999902;Rua Velha 2;4000-002;Porto`,
    numbers: ['PT 999999901', 'PT 999999902'],
  },
  {
    language: 'bg',
    title: 'the number of the company before that of the tax',
    country: 'BG',
    text: `Фирма;БУЛСТАТ;ДДС номер;Град
Пример ООД;999999911;BG999999901;София
Образец АД;999999912;ДДС № 999999902;Варна`,
    numbers: ['BG 999999901', 'BG 999999902'],
  },
];
