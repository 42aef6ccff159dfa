import { type RegistryCode, registryOf } from '../numbers/vat-number.ts';

/**
 * The words that stand before a VAT number of each registry (rule K12), without accents, signs and letter case. A word with a
 * star is the beginning of others: `ust*` is `USt-IdNr.` and `UStID`.
 */
const ofRegistry: Readonly<Record<RegistryCode, string>> = {
  AT: 'uid* ust* umsatzsteuer* atu',
  BE: 'btw* tva ondernemingsnummer entreprise kbo bce ust* mwst*',
  BG: 'ддс* идндд* булстат bulstat еик eik dds',
  CY: 'φπα αφμ fpa afm tic',
  CZ: 'dic dph',
  DE: 'ust* umsatzsteuer* mwst* idnr*',
  DK: 'moms* se cvr*',
  EE: 'kmkr* km kaibemaks*',
  EL: 'αφμ φπα afm fpa',
  ES: 'nif* cif nie iva dni',
  FI: 'alv* moms* ytunnus tunnus',
  FR: 'tva',
  GB: 'vat*',
  HR: 'pdv* oib',
  HU: 'afa adoszam* kozossegi',
  IE: 'vat* cbl',
  IT: 'iva piva partita partitaiva',
  LT: 'pvm*',
  LU: 'tva mwst*',
  LV: 'pvn*',
  MT: 'vat*',
  NL: 'btw* ob',
  PL: 'nip* ptu vatue',
  PT: 'nif nipc iva contribuinte*',
  RO: 'cui cif tva fiscal fiscala',
  SE: 'moms* vat* momsnr',
  SI: 'ddv* davcna',
  SK: 'dic icdph dph',
  XI: 'vat*',
};

/** The words that stand before a number of each registry. */
const common = 'vat vatid vatno vatnr vatnumber vatin tax taxid mwst* tva iva btw vies';

/** Words before numbers of other registers, of accounts, telephones and papers. */
const ofOthers =
  'regon krs siren siret naf ape rcs ico ic kvk hrb hra steuernr steuernummer steuer stnr st tel telefon* telef* ' +
  'telephone phone fono fax mobil* gsm tlf τηλ* тел* iban bic swift konto* account* cf codice sdi rea cap psc plz cp ' +
  'gemi γεμη δου orgnr org kdnr kunde* kunden* customer* client* invoice* rechnung* facture* factura* faktura* fattura* ' +
  'order* bestell* auftrag* pedido* ref* reg com matricola cnp pesel ssn eori handelsregister* register*';

const others = toMatcher(ofOthers);
const matchers = new Map<string, RegExp>();

/**
 * Whether the words before a number say that it is a VAT number of a country: the last word of the table decides. Words that are
 * in no table, such as “of our company”, change nothing.
 */
export function endsWithLabel(before: string, country: string): boolean {
  const registry = registryOf(country);
  if (registry === undefined) return false;
  const own = matchers.get(registry) ?? toMatcher(`${ofRegistry[registry]} ${common}`);
  matchers.set(registry, own);
  const words = wordsOf(before).slice(-wordsMax);
  const last = words.findLast((word) => own.test(word) || others.test(word));
  return last !== undefined && own.test(last);
}

/** Words between a label and its number. */
const wordsMax = 6;

/** Words without accents; letters between dots are one: `P.IVA`, `Α.Φ.Μ.`, and so are those of `IČ DPH` and `Y-tunnus`. */
function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/(?<![\p{L}\p{N}])(\p{L})\.(?=\p{L})/gu, '$1')
    .replace(/\bic dph\b/, 'icdph')
    .replace(/\by-tunnus\b/, 'ytunnus');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function toMatcher(words: string): RegExp {
  const patterns = words
    .split(' ')
    .map((word) => word.normalize('NFD').replaceAll(/\p{M}/gu, '').replace('*', '.*'));
  return new RegExp(`^(?:${patterns.join('|')})$`, 'u');
}

const anyOwn = toMatcher(`${Object.values(ofRegistry).join(' ')} ${common}`);

/** Whether a heading is one of VAT numbers, of whatever registry: `USt-IdNr.`, `NIP`, `ΑΦΜ`; not `IČO` or `Codice fiscale`. */
export function isNumberHeading(heading: string): boolean {
  const last = wordsOf(heading).findLast((word) => anyOwn.test(word) || others.test(word));
  return last !== undefined && anyOwn.test(last);
}
