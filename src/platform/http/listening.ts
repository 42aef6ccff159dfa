import type { FastifyInstance } from 'fastify';
import type { Log } from '../log.ts';

/** What is left of the 30 s of a stop for requests that are being answered (operator.md). */
const closeMs = 25_000;

/** Listens and gives the address, or says in an operator's words why it cannot. */
export async function listen(
  app: FastifyInstance,
  setting: 'PORT' | 'OPS_PORT',
  address: { readonly host: string; readonly port: number },
): Promise<string> {
  try {
    return await app.listen(address);
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    if (!isTaken) throw cause;
    const sentence = `${address.host}:${address.port} is taken by another process; set ${setting}`;
    throw Object.assign(new Error(sentence, { cause }), { code: 'EADDRINUSE' });
  }
}

/** Closes the API when its running requests are answered, or when their time is up. */
export async function closeWithin(api: FastifyInstance, log: Log): Promise<void> {
  const timer = setTimeout(() => {
    log.warn('requests were still running at the end of the stop');
    api.server.closeAllConnections();
  }, closeMs);
  // A request that came before the stop leaves its connection open when it is answered.
  const sweep = setInterval(() => api.server.closeIdleConnections(), 100);
  await api.close();
  clearInterval(sweep);
  clearTimeout(timer);
}
