/** A text that somebody pastes, and what a right reader says about it. All of them are invented. */
export type Sample = {
  /** ISO 639-1. */
  readonly language: string;
  readonly title: string;
  /** The country that is chosen for numbers without letters; '' for none. */
  readonly country: string;
  readonly text: string;
  /** Each number as `DE 999999901`, in the order of the text. */
  readonly numbers: readonly string[];
  /** The reason for each thing that looks like a number and is none: a part of the sentence. */
  readonly named?: readonly string[];
};

export const mails: readonly Sample[] = [
  {
    language: 'de',
    title: 'two numbers in one sentence',
    country: '',
    text: `Guten Tag, Frau Huber,
unsere USt-IdNr. lautet DE 999 999 901, die unserer Tochter in Wien ATU99999901.
Mit freundlichen Grüßen, Karl Muster`,
    numbers: ['DE 999999901', 'AT U99999901'],
  },
  {
    language: 'de',
    title: 'a list with one comma in each line',
    country: '',
    text: `Hallo zusammen, hier die Nummern:
Muster GmbH, USt-IdNr.: DE 999 999 901
Beispiel AG, USt-IdNr.: DE 999 999 902
Huber KG, UID: ATU 99999901
Dupont SA, TVA FR 00 999999901
Rossi srl, P.IVA IT 99999900012
Danke, Karl`,
    numbers: ['DE 999999901', 'DE 999999902', 'AT U99999901', 'FR 00999999901', 'IT 99999900012'],
  },
  {
    language: 'de',
    title: 'a signature with telephone, tax number and account',
    country: 'DE',
    text: `Muster GmbH · Lindenweg 3 · 10115 Berlin
Tel. +49 30 1234567, Fax 030 1234568
Amtsgericht Berlin HRB 123456 B
Steuer-Nr. 12/345/67890, USt-ID: DE999999901
IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX`,
    numbers: ['DE 999999901'],
    named: ['account'],
  },
  {
    language: 'fr',
    title: 'three numbers with their groups',
    country: '',
    text: `Bonjour,
voici notre numéro de TVA intracommunautaire : FR 00 999 999 901 (SIREN 999 999 901).
Celui de notre filiale belge est le BE 0999.999.901, celui du bureau de Luxembourg LU 99999901.
Cordialement, Anne`,
    numbers: ['FR 00999999901', 'BE 0999999901', 'LU 99999901'],
  },
  {
    language: 'fr',
    title: 'labels before numbers without letters',
    country: 'FR',
    text: `Bonjour Madame,
N° TVA : 00 999999901
Notre filiale, TVA intracommunautaire 00999999902, tél. 01 23 45 67 89
SIRET 999 999 901 00012`,
    numbers: ['FR 00999999901', 'FR 00999999902'],
  },
  {
    language: 'es',
    title: 'labels in a sentence',
    country: 'ES',
    text: `Estimada clienta:
le envío nuestros datos, CIF B99999902, y los de la filial, NIF A99999901.
Un saludo, Pilar`,
    numbers: ['ES B99999902', 'ES A99999901'],
  },
  {
    language: 'es',
    title: 'a number that is too short',
    country: '',
    text: `Hola, nuestro NIF-IVA es ES-B99999902; el del proveedor en Portugal, PT 999 999 901.
El de Sevilla sería ES B-1234567, pero no estoy segura.`,
    numbers: ['ES B99999902', 'PT 999999901'],
    named: ['it has the letters of Spain, but 8 characters instead of 9'],
  },
  {
    language: 'it',
    title: 'a label, and the code of a person',
    country: 'IT',
    text: `Buongiorno,
Partita IVA 99999900012
C.F. RSSMRA80A01H501U
Tel. 06 12345678`,
    numbers: ['IT 99999900012'],
  },
  {
    language: 'it',
    title: 'numbers between commas',
    country: '',
    text: 'La nostra partita IVA è IT 999 999 000 12, quella del fornitore sloveno SI 99999901, grazie.',
    numbers: ['IT 99999900012', 'SI 99999901'],
  },
  {
    language: 'pl',
    title: 'three registers in one line',
    country: 'PL',
    text: `Dzień dobry,
NIP: 999-999-99-01, REGON 123456785, KRS 0000123456
Pozdrawiam, Ewa`,
    numbers: ['PL 9999999901'],
  },
  {
    language: 'pl',
    title: 'two numbers in one sentence',
    country: '',
    text: 'Nasz numer VAT UE to PL 9999999901, a czeski oddział ma CZ99999901.',
    numbers: ['PL 9999999901', 'CZ 99999901'],
  },
  {
    language: 'cs',
    title: 'the number of the company beside that of the tax',
    country: '',
    text: `Dobrý den, posíláme údaje:
DIČ: CZ99999901, IČO: 99999901
Slovenská pobočka má IČ DPH SK9999999901 a sídlo v Brně.`,
    numbers: ['CZ 99999901', 'SK 9999999901'],
  },
  {
    language: 'cs',
    title: 'numbers without letters',
    country: 'CZ',
    text: `DIČ 99999902
IČO 99999901
PSČ 602 00`,
    numbers: ['CZ 99999902'],
    named: ['write the letters of its country in front'],
  },
  {
    language: 'el',
    title: 'two numbers in one sentence',
    country: '',
    text: 'Ο ΑΦΜ της εταιρείας μας είναι EL 999999901, και της κυπριακής θυγατρικής CY 99999901L.',
    numbers: ['GR 999999901', 'CY 99999901L'],
  },
  {
    language: 'el',
    title: 'labels of two kinds',
    country: 'GR',
    text: `Καλημέρα σας,
ΑΦΜ: 999999901, ΔΟΥ Αθηνών
Α.Φ.Μ. 999999902, τηλ. 210 1234567`,
    numbers: ['GR 999999901', 'GR 999999902'],
  },
  {
    language: 'en',
    title: 'a number of Great Britain among others',
    country: '',
    text: `Hi Tom,
our VAT no. is IE 9999999WA and the Dutch one is NL9999.99.901.B01.
Please ignore GB 123 456 789, it is the old one.`,
    numbers: ['IE 9999999WA', 'NL 999999901B01'],
    named: ['Great Britain is not in VIES'],
  },
  {
    language: 'en',
    title: 'quoted lines',
    country: '',
    text: `> VAT: DE999999901, as on the invoice 2026-1044 of 12 March
>> Vat No: "ATU99999901" (see below), paid 1,234.50 EUR
On 12/03/2026 at 10:15, Anna wrote:`,
    numbers: ['DE 999999901', 'AT U99999901'],
  },
  {
    language: 'nl',
    title: 'a number at the end of a sentence',
    country: '',
    text: `Goedemorgen, ons btw-nummer is NL999999901B01; KvK 12345678.
Het Belgische btw-nr is BE0999.999.901.`,
    numbers: ['NL 999999901B01', 'BE 0999999901'],
  },
  {
    language: 'pt',
    title: 'a number of Switzerland among others',
    country: '',
    text: 'O nosso NIF é PT999999901, e o da Roménia é RO 99 999 901; o da Suíça é CHE-123.456.789.',
    numbers: ['PT 999999901', 'RO 99999901'],
    named: ['UID'],
  },
  {
    language: 'ro',
    title: 'several codes in one line',
    country: 'RO',
    text: `Bună ziua,
CUI: RO99999901, nr. Reg. Com. J40/1234/2020, tel. 0212345678
Cod fiscal 99999902`,
    numbers: ['RO 99999901', 'RO 99999902'],
  },
];
