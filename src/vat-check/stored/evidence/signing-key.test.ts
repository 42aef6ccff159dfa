import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSignedBy, signManifest } from './signature.ts';
import { thumbprintOf, readPrivateKey, readPublicJwk } from './signing-key.ts';

/** The key of RFC 8037, appendix A. */
const example = {
  crv: 'Ed25519',
  kty: 'OKP',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
} as const;
const d = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';

describe('a key that signs evidence (rule K15)', () => {
  it('has its thumbprint as id, as in RFC 8037, appendix A.3', () => {
    expect(thumbprintOf(example)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });

  it('signs as RFC 8037, appendix A.4, does', () => {
    const pkcs8 = createPrivateKey({ key: { ...example, d }, format: 'jwk' });
    const text = pkcs8.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const signed = Buffer.from('eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc');

    const signature = signManifest(signed, readPrivateKey(text));

    expect(signature.toString('base64url')).toBe(
      'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
    );
    expect(isSignedBy(example, signed, signature)).toBe(true);
  });

  it('is never a key of another kind', () => {
    const { privateKey } = generateKeyPairSync('x25519');
    const text = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

    expect(() => readPrivateKey(text)).toThrow('expected an Ed25519 key');
  });
});

describe('a public key that a file contains', () => {
  it.each([
    ['null', null],
    ['a text', 'key'],
    ['another curve', { ...example, crv: 'X25519' }],
    ['another kind', { ...example, kty: 'EC' }],
    ['31 bytes', { ...example, x: example.x.slice(0, 41) }],
    ['another spelling of the same bytes', { ...example, x: `${example.x}=` }],
    ['spare bits', { ...example, x: `${example.x.slice(0, -1)}p` }],
    ['a number', { ...example, x: 1 }],
  ])('is not %s', (_, value) => {
    expect(readPublicJwk(value)).toBeUndefined();
  });
});
