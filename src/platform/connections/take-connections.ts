import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Removes the only listener for a server's connections, and returns it: the next owner of a connection. */
export function takeConnections(server: Server): (socket: Socket) => void {
  const [general, ...others] = server.listeners('connection');
  if (general === undefined || others.length > 0) {
    throw new Error('the connections of the server already have another listener');
  }
  server.removeAllListeners('connection');
  return (socket) => general.call(server, socket);
}
