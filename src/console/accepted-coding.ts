import { type Coding, codings } from './built-files.ts';

/**
 * Chooses how an answer is coded for who accepts what (RFC 9110 §12.5.3): the smallest that is accepted.
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
  // As it is always will do: an answer that cannot be read is better than none that can be found.
  return codings.find(isAccepted) ?? 'identity';
}
