import { ApiError, invalidField } from '../../../platform/http/responses/api-errors.ts';
import type { NameOf } from '../../../platform/http/routes/read-request.ts';
import type { Requester } from '../../numbers/requester.ts';
import { registryCodes } from '../../numbers/registry-codes.ts';
import { parseVatNumber, registryOf } from '../../numbers/vat-number.ts';
import { type KnownRegistries, registriesInWords } from '../../registries/known.ts';
import { type RegistryName, registryNames } from '../../registries/registry.ts';
import { usualRegistry } from '../../registries/registry-code.ts';
import type { WrittenNumber } from './request-fields.ts';

const wholeName: NameOf = (path) => path ?? '';

/**
 * The registry that is asked (rule M3): the one that is named, else the usual one of the country. Throws the 400 for one that
 * does not answer for the country, or that is not enabled: it is judged before the number. Undefined if the country has none that
 * is enabled.
 */
export function chooseRegistry(
  named: string | undefined,
  { countryCode, vatNumber }: WrittenNumber,
  known: KnownRegistries,
  nameOf: NameOf = wholeName,
): RegistryName | undefined {
  const code =
    parseVatNumber(countryCode, vatNumber, registryCodes)?.registryCode ??
    registryOf(countryCode.trim(), registryCodes);
  if (named === undefined) {
    const usual = code && usualRegistry(code);
    return usual !== undefined && known.has(usual) ? usual : undefined;
  }
  const expected = code === undefined ? registryNames : known.listFor(code);
  const name = expected.find((one) => one === named);
  if (name === undefined) throw invalidField(nameOf('registry'), registriesInWords(expected));
  if (!known.has(name)) {
    const place = nameOf('registry').replace(/registry$/, '');
    throw new ApiError('invalidField', {}, { text: `${place}registry '${name}' not enabled` });
  }
  return name;
}

const expectedRequesters = {
  vies: 'a possible VAT number',
  hmrc: 'a British VAT number for registry hmrc',
  bzst: 'a German VAT number for registry bzst',
} as const satisfies Readonly<Record<RegistryName, string>>;

/**
 * The requester of a check (rule M6): the one that is named, else the first of the key, or of the service if the key has
 * none, whose country the registry accepts. Throws the 400 for one that it does not accept, and if it needs one.
 */
export function chooseRequester(
  named: Requester | undefined,
  registry: RegistryName,
  {
    ofKey,
    ofService,
    known,
  }: {
    readonly ofKey: readonly Requester[];
    readonly ofService: readonly Requester[];
    readonly known: KnownRegistries;
  },
  nameOf: NameOf = wholeName,
): Requester | undefined {
  const candidates = named === undefined ? (ofKey.length > 0 ? ofKey : ofService) : [named];
  const requester = candidates.find((one) => known.accepts(registry, one));
  const isMissing = requester === undefined && (named !== undefined || registry === 'bzst');
  if (isMissing) throw invalidField(nameOf('requester'), expectedRequesters[registry]);
  return requester;
}
