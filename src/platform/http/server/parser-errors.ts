import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionGuard } from '../../connections/connection-guard.ts';
import { systemClock } from '../../time/time.ts';
import type { FreeLimits } from '../free-requests.ts';
import { ApiError, type ApiErrorName } from '../responses/api-errors.ts';
import { STATUS_CODES } from '../node-http.ts';
import { nextRequestId } from './request-id.ts';

/** How long a caller has to read the error before its connection is destroyed. */
const lingerMs = 1_000;

/**
 * Answers requests that the HTTP parser refuses in the shape of every other error (contract C2).
 *
 * The parser refuses them before there is a route, a key or a request of the framework. The connection ends, because
 * after malformed bytes it is unknown where the next request begins.
 */
export function answerParserErrors(
  server: Server,
  {
    connections,
    freeLimits,
  }: {
    readonly connections: Pick<ConnectionGuard, 'isAnswering'>;
    readonly freeLimits: Pick<FreeLimits, 'ofAddress'>;
  },
): void {
  const refuse = (socket: Socket, code: ApiErrorName): void => {
    // The error would be mixed into the answer under way.
    if (connections.isAnswering(socket)) socket.destroy();
    else endWithError(socket, freeLimits.ofAddress(socket.remoteAddress) ?? new ApiError(code));
  };
  // The framework's own handler would answer first, with a text of its own.
  server.removeAllListeners('clientError');
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuse(socket, toCode(error, socket));
  });
  server.on('connect', ({ socket }: IncomingMessage) => {
    refuse(socket, 'badRequest');
  });
  server.on('checkExpectation', (request: IncomingMessage) => {
    refuse(request.socket, 'expectationFailed');
  });
}

/** Answers with an error before there is a request, and ends the connection. */
function endWithError(socket: Socket, { status, body, headers }: ApiError): void {
  // The client's bytes are no longer read, so the end of the connection may never be noticed.
  setTimeout(() => socket.destroy(), lingerMs).unref();
  const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      'Cache-Control: no-store\r\n' +
      own.join('') +
      `X-Request-Id: ${nextRequestId()}\r\n` +
      `Date: ${new Date(systemClock.now()).toUTCString()}\r\n` +
      'Connection: close\r\n' +
      `\r\n${body}`,
  );
}

function toCode(
  error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number },
  socket: Socket,
): ApiErrorName {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    // Node has one limit for the whole head. If no line had ended when it was reached, the request line
    // itself is too long.
    const packet = error.rawPacket;
    const isWhole = packet !== undefined && packet.length === socket.bytesRead;
    const hasLine = packet?.subarray(0, error.bytesParsed).includes(0x0a) ?? true;
    return isWhole && !hasLine ? 'urlTooLong' : 'headersTooLarge';
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'requestTimeout';
  return error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW' ? 'bodyTooLarge' : 'badRequest';
}
