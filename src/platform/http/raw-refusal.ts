import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, type ApiErrorName } from './api-errors.ts';
import { nextRequestId } from './request-id.ts';

/**
 * Gives the HTTP parser's own refusals the shape of every other error (contract C2).
 *
 * They come before any request exists: no route, no key, no framework. The connection ends, because
 * after bytes that were not understood nobody knows where the next request would begin.
 */
export function refuseInOurWords(server: Server): void {
  const answering = new WeakSet<Duplex>();
  server.on('request', (request: IncomingMessage, response) => {
    answering.add(request.socket);
    response.once('close', () => answering.delete(request.socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // An answer under way would be mixed with ours.
    if (error.code === 'ECONNRESET' || !socket.writable || answering.has(socket)) socket.destroy();
    else refuse(socket, toCode(error, socket));
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    refuse(socket, 'badRequest');
  });
  server.on('checkExpectation', (request: IncomingMessage) => {
    refuse(request.socket, 'expectationFailed');
  });
}

function refuse(socket: Duplex, code: ApiErrorName): void {
  const { status, body } = new ApiError(code);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      'Cache-Control: no-store\r\n' +
      `X-Request-Id: ${nextRequestId()}\r\n` +
      `Date: ${new Date().toUTCString()}\r\n` +
      'Connection: close\r\n' +
      `\r\n${body}`,
  );
}

function toCode(
  error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer },
  socket: Socket,
): ApiErrorName {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    // Node has one limit for the whole head. Without a line end in all that came, the request line
    // itself is what is too long.
    const packet = error.rawPacket;
    const isWhole = packet !== undefined && packet.length === socket.bytesRead;
    return isWhole && !packet.includes(0x0a) ? 'urlTooLong' : 'headersTooLarge';
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'requestTimeout';
  return error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW' ? 'bodyTooLarge' : 'badRequest';
}
