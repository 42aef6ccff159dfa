import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';

/** For receiver.test and 127.0.0.1, until 2120; made for tests, protects nothing. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQga7X/Ecwc3/RdM9T1
DqmmP+Big919hR++60lxHC4uac6hRANCAASqEZLwrWkEbeTfm1FjdEOOaffT4OM2
jpoZt/2FA6iY3q/3OihjlSoHCEvrly+4NPihxC7FVgVyvF2vEG3YLCVr
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBYTCCAQigAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1yZWNlaXZl
ci50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1yZWNlaXZlci50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqhGS
8K1pBG3k35tRY3RDjmn30+DjNo6aGbf9hQOomN6v9zooY5UqBwhL65cvuDT4ocQu
xVYFcrxdrxBt2Cwla6NBMD8wHgYDVR0RBBcwFYINcmVjZWl2ZXIudGVzdIcEfwAA
ATAdBgNVHQ4EFgQUUr5fCfFdhxmxLlYnUpEx2PitmvAwCgYIKoZIzj0EAwIDRwAw
RAIgRfItFv0b09dEHiJNKtoXb0GcSSOCjbtr5wYQRxIGws0CIAJA/4pOAYCW6dqu
gdwmas7MG3K7QkU3ixz8IXIg+tpu
-----END CERTIFICATE-----`;

/** Puts TLS in front of a server of this machine that has none; this process trusts it from now on. */
export async function startTlsFront(
  toPort: number,
): Promise<{ readonly port: number } & AsyncDisposable> {
  setDefaultCACertificates([...getCACertificates('default'), cert]);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket
      .on('error', () => {})
      .once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
  };
  const server = createServer({ key, cert }, (near) => {
    const far = connect(toPort, '127.0.0.1');
    keep(near, far);
    keep(far, near);
    near.pipe(far).pipe(near);
  });
  // What was damaged on its way is no handshake.
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}
