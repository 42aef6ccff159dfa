import { sha256 } from '../../../platform/values/digest.ts';
import { type JsonObject, type JsonValue, printCanonicalJson } from './canonical-json.ts';
import { compareCheck } from './compare-check.ts';
import type { Evidence } from './evidence.ts';
import { decodeText, type EvidenceFile, parseObject, readEvidenceFile } from './evidence-file.ts';
import type { Control } from './definitions.ts';
import { digestControl, type Manifest, sharedFields } from './manifest.ts';
import type { PublishedKey } from './published-keys.ts';
import { registries } from '../../registries/registries.ts';
import type { RegistryName, SentQuestion } from '../../registries/registry.ts';
import { readReceivedReply, type ReceivedReply } from './read-exchange.ts';
import { isSignedBy } from './signature.ts';
import { thumbprintOf } from './signing-key.ts';

/** The result of an offline verification (rule K16). */
export type Verification = {
  /** A sentence for each fault. Without any, the evidence holds if its key is published. */
  readonly faults: readonly string[];
  /** Whether the key is one of the published keys; undefined if these were not given. */
  readonly isKeyPublished?: boolean;
  /** Whether another program has formatted the file; its values are those of the service. */
  readonly isReformatted?: boolean;
  /** Undefined if the file is not the evidence of a check. */
  readonly evidence?: Evidence;
  /** Read again from the bytes that were sent; undefined if they are no query. */
  readonly query?: SentQuestion;
  /** Read again from the bytes that were received. */
  readonly reply?: ReceivedReply;
  readonly program?: Manifest['program'];
};

/** The clocks of replicas may differ by this much, and a replica may end its work with the old key. */
const clockToleranceMs = 10 * 60_000;

/**
 * Verifies the file of one check without service and network.
 *
 * With `published`, the key has to be one of these keys. Without it, the key in the file is used: then nothing is proven
 * until a person compares its fingerprint with the published one, because anyone can sign a file with a key of their own.
 */
export async function verifyEvidence(
  bytes: Uint8Array,
  published?: readonly PublishedKey[],
): Promise<Verification> {
  let file: EvidenceFile;
  try {
    file = readEvidenceFile(bytes);
  } catch (error) {
    return { faults: [messageOf(error)] };
  }
  const { evidence, isReformatted } = file;
  const isKeyPublished = published?.some(({ kid }) => kid === evidence.keyId);
  const of = { evidence, isReformatted, ...(isKeyPublished !== undefined && { isKeyPublished }) };
  const faults = [...checkKey(evidence, published), ...checkBytes(file)];
  const read = readManifest(file, faults);
  try {
    const { registry, endpoint: url, head, control } = evidence;
    const query = await registries[registry].readSent({ ...file, url });
    const reply = await readReceivedReply(registry, { ...file, url, head }, query);
    if (reply.kind === 'answered' && reply.isUnconfirmed) {
      faults.push(...(await checkConfirmation(registry, control, query)));
    }
    if (read !== undefined)
      faults.push(...compareCheck(read.check, { query, reply, ...registries[registry] }));
    return { faults, ...of, query, reply, ...read };
  } catch (error) {
    faults.push(`the bytes that were sent are no query of the registry: ${messageOf(error)}`);
    return { faults, ...of, ...read };
  }
}

/** Reads the control question that a false answer needs: about another number, which the registry has answered as valid. */
async function checkConfirmation(
  registry: RegistryName,
  control: Control | undefined,
  query: SentQuestion,
): Promise<readonly string[]> {
  if (control === undefined)
    return ['the answer is false only with a control question, and has none'];
  const exchange = {
    url: control.endpoint,
    request: Buffer.from(control.request, 'base64'),
    response: Buffer.from(control.response, 'base64'),
    head: control.head,
  };
  const asked = await registries[registry].readSent(exchange);
  if (asked.vatNumber.number === query.vatNumber.number) {
    return ['the control question is about the number itself'];
  }
  const reply = await readReceivedReply(registry, exchange, asked);
  const isValid = reply.kind === 'answered' && reply.answer.valid;
  return isValid ? [] : ['the control question was not answered as valid'];
}

function checkKey(
  { keyId, publicKey, requestedAt }: Evidence,
  published: readonly PublishedKey[] | undefined,
): readonly string[] {
  if (keyId !== thumbprintOf(publicKey)) return ['keyId is not the thumbprint of publicKey'];
  if (published === undefined) return [];
  const key = published.find(({ kid }) => kid === keyId);
  if (key === undefined) return [`the key ${keyId} is not one of the published keys`];
  if (key.endedAt === null) return [];
  const lateMs = Date.parse(requestedAt) - Date.parse(key.endedAt);
  if (lateMs <= clockToleranceMs) return [];
  return [`the key ${keyId} signed nothing after ${key.endedAt}, before the query`];
}

function checkBytes(file: EvidenceFile): readonly string[] {
  const { evidence, request, response, manifest, signature } = file;
  const differs = (name: string) => `${name} differs from its SHA-256`;
  return [
    sha256(request) === evidence.requestSha256 ? [] : differs('the request'),
    sha256(response) === evidence.responseSha256 ? [] : differs('the response'),
    isSignedBy(evidence.publicKey, manifest, signature)
      ? []
      : 'the signature is not the one of this manifest by this key',
  ].flat();
}

/** Reads the manifest and compares it with the file; undefined if it has no check and program. Adds to `faults`. */
function readManifest(
  { manifest, evidence }: EvidenceFile,
  faults: string[],
): { readonly check: JsonObject; readonly program: Manifest['program'] } | undefined {
  try {
    const text = decodeText(manifest, 'the manifest');
    const value = parseObject(text, 'the manifest');
    if (printCanonicalJson(value) !== text) faults.push('the manifest is not canonical JSON');
    const { head, control } = evidence;
    const digested = { ...evidence, head, control: control && digestControl(control) };
    for (const name of [...sharedFields, 'head', 'control'] as const) {
      if (isSameJson(value[name], digested[name] as JsonValue | undefined)) continue;
      faults.push(`${name} is not the same in the file and in its manifest`);
    }
    const { check, program } = value as unknown as Manifest;
    for (const name of ['id', 'registry'] as const) {
      if (check[name] !== evidence[name]) faults.push(`${name} of the check is another one`);
    }
    const { name, version } = program;
    if (typeof name !== 'string' || typeof version !== 'string') throw new Error('no program');
    return { check, program: { name, version } };
  } catch (error) {
    faults.push(`the manifest cannot be read: ${messageOf(error)}`);
    return undefined;
  }
}

function isSameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return printCanonicalJson(one) === printCanonicalJson(other);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
