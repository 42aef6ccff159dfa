import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createRepresentation, matchesEtag } from './representation.ts';

/** In order of preference: the smallest first. */
export const codings = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof codings)[number];

/** A body as bytes for each coding; each has a validator of its own (RFC 9110 §8.8.3). */
export type CodedRepresentation = Readonly<Record<Coding, ReturnType<typeof createRepresentation>>>;

/** The highest quality takes ten times as long, for 7 % fewer bytes. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Compresses a text in all codings, beside the event loop. */
export async function compress(content: string, type: string): Promise<CodedRepresentation> {
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(content, brotliOptions),
    promisify(gzip)(content),
  ]);
  return {
    br: createRepresentation(br, type),
    gzip: createRepresentation(zipped, type),
    identity: createRepresentation(content, type),
  };
}

/** Sends a body in the smallest coding that the caller accepts, or a 304. */
export function sendCoded(
  request: FastifyRequest,
  reply: FastifyReply,
  { coded, cacheControl }: { readonly coded: CodedRepresentation; readonly cacheControl: string },
): FastifyReply {
  const coding = acceptedCoding(request.headers['accept-encoding']);
  const { body, etag, type } = coded[coding];
  // With CORS_ORIGINS the answer varies by Origin as well.
  const vary = [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', ');
  reply.header('cache-control', cacheControl).header('vary', vary).header('etag', etag);
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type(type).send(body);
}

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
