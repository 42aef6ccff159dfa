import { type Coding, codings } from './built-files.ts';

/**
 * Chooses the content coding by a request's `Accept-Encoding` (RFC 9110 §12.5.3): the smallest accepted one.
 *
 *     acceptedCoding('gzip, br;q=0')  // 'gzip'
 */
export function acceptedCoding(header: string | undefined): Coding {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const isAccepted = (coding: Coding): boolean =>
    (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
  // `identity` is the last resort, even if the client refuses it.
  return codings.find(isAccepted) ?? 'identity';
}
