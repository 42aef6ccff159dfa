import { folderUrl } from './address-option.ts';
import { type Described, namesOf, type Option, optionalText, requesterOption } from './option.ts';
import { refuse } from '../fields/field.ts';
import { type RegistryName, registryNames } from './registry-names.ts';
import { Secret } from './secret.ts';

const registriesOption = namesOf(registryNames, {
  name: 'REGISTRIES',
  default: 'vies',
  means:
    'registries of VAT numbers that are asked: `vies` for the Member States and Northern Ireland, `hmrc` for Great Britain, `bzst` for confirmations of the Bundeszentralamt für Steuern; `vies` is always one of them',
});

/** The settings of the registries other than VIES: rows of the table in `options.ts`. */
export const registryOptions = {
  registries: {
    ...registriesOption,
    problemsOf: (text) =>
      text.split(',').some((one) => one.trim() === 'vies') ? [] : ['has no vies, which it needs'],
  } satisfies Option<readonly RegistryName[]>,
  requesters: requesterOption({
    name: 'REQUESTERS',
    default: '',
    means:
      'the VAT numbers on whose behalf stored VAT checks are made, one for each country, separated by commas; the first that the registry accepts is used, and a key may have its own',
  }),
  hmrcUrl: folderUrl({
    name: 'HMRC_URL',
    default: 'https://api.service.hmrc.gov.uk',
    means:
      'address of HMRC’s APIs, without a path; `https://test-api.service.hmrc.gov.uk` is its sandbox',
  }),
  hmrcClientId: plainText({
    name: 'HMRC_CLIENT_ID',
    default: '',
    means: 'client id of your application at HMRC’s Developer Hub; `hmrc` needs it',
  }),
  hmrcClientSecret: secretText({
    name: 'HMRC_CLIENT_SECRET',
    default: '',
    means: 'client secret of this application; `hmrc` needs it',
  }),
  hmrcControl: requesterOption({
    name: 'HMRC_CONTROL',
    default: '',
    means:
      'a British VAT number that is registered, such as your own: it is asked to confirm that HMRC answers when it has not found a number; `hmrc` needs it',
  }),
  bzstUrl: folderUrl({
    name: 'BZST_URL',
    default: 'https://api.evatr.vies.bzst.de/app/v1',
    means: 'address of the confirmations of the Bundeszentralamt für Steuern, before `/abfrage`',
  }),
} as const;

const printable = /^[!-~]{0,200}$/;

function plainText(option: Described): Option<string> {
  const expected = 'up to 200 printable ASCII characters without blanks';
  return {
    ...option,
    expected,
    read: (given, at) =>
      printable.test(String(given)) ? String(given) : refuse(at, expected, given),
  };
}

/** A secret text; undefined if none is set. */
function secretText(option: Described): Option<Secret | undefined> {
  const expected = 'up to 200 printable ASCII characters without blanks';
  return {
    ...option,
    ...optionalText(expected, (given, at) => {
      const text = given.trim();
      return printable.test(text) ? new Secret(text, '(set)') : refuse(at, expected, given);
    }),
    secret: true,
  };
}
