import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/**
 * Encryption of stored secrets with SECRET_KEY: AES-256-GCM.
 *
 * A sealed secret is `v1.` and, in base64url, a nonce of 12 random bytes, the encrypted text and a tag of
 * 16 bytes. The nonce is random: with one key, 2³² secrets may be sealed before two nonces are likely to
 * be the same (NIST SP 800-38D §8.3).
 */
const cipher = 'aes-256-gcm';
const version = 'v1.';
const nonceBytes = 12;
const tagBytes = 16;

/** A stored secret that this process cannot open, or cannot encrypt, with the keys that it has. */
export class SecretKeyMismatch extends Error {
  override readonly name = 'SecretKeyMismatch';
}

/** The id of a key, which reveals nothing of it. Different keys have different ids. */
export function idOfKey(key: Uint8Array): string {
  return createHmac('sha256', key).update('vatfx secret key').digest('hex').slice(0, 16);
}

/**
 * Encrypts a text, bound to a context: the id of the thing that it belongs to, such as a subscription. It opens only
 * with the same context, so it cannot be moved to another row. Every call returns another result.
 */
export function seal(key: Uint8Array, plain: string, context: string): string {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  encryption.setAAD(Buffer.from(context));
  const sealed = [nonce, encryption.update(plain, 'utf8'), encryption.final()];
  return version + Buffer.concat([...sealed, encryption.getAuthTag()]).toString('base64url');
}

/** Decrypts a text of {@link seal}; throws if the key, the context or a single byte differs. */
export function open(key: Uint8Array, sealed: string, context: string): string {
  try {
    const bytes = decode(sealed);
    const tagAt = bytes.length - tagBytes;
    const nonce = bytes.subarray(0, nonceBytes);
    const decryption = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes });
    decryption.setAAD(Buffer.from(context));
    decryption.setAuthTag(bytes.subarray(tagAt));
    const plain = decryption.update(bytes.subarray(nonceBytes, tagAt));
    return Buffer.concat([plain, decryption.final()]).toString();
  } catch (cause) {
    throw new SecretKeyMismatch(
      `the stored secret of ${context} cannot be decrypted: SECRET_KEY (or the .secret-key ` +
        'file beside the database) is not the one that it was encrypted with; bring that one back, or ' +
        'delete what the secret belongs to, such as a subscription, and create it again',
      { cause },
    );
  }
}

/** Whether a key opens a text of {@link seal}. */
export function opensWith(
  key: Uint8Array,
  { sealed, context }: { readonly sealed: string; readonly context: string },
): boolean {
  try {
    open(key, sealed, context);
    return true;
  } catch {
    return false;
  }
}

function decode(sealed: string): Buffer {
  const text = sealed.slice(version.length);
  const bytes = Buffer.from(text, 'base64url');
  // Node's decoder ignores foreign characters and spare bits, so a changed text could decode to the same bytes.
  if (!sealed.startsWith(version) || bytes.toString('base64url') !== text) {
    throw new Error(`expected ${version} and base64url`);
  }
  return bytes;
}
