import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Both ends, the state, and the number of bytes that were sent and are not acknowledged, if it is not 0. */
const line =
  /^ *\d+: ([\dA-F]+:[\dA-F]{4}) ([\dA-F]+:[\dA-F]{4}) [\dA-F]{2} (?!0{8})([\dA-F]{8}):/gm;
const mappedPrefix = '0000000000000000FFFF0000';

/** The number of bytes that the kernel holds for a socket, because its other end has not acknowledged them. */
export type KernelQueues = (socket: Socket) => number;

/**
 * Reads the number of bytes that the kernel holds for each connection; undefined on systems other than Linux, and if
 * a sandbox hides them.
 *
 * A socket only shows when the kernel takes bytes, and the kernel takes the next ones after about a third of its
 * buffer is free: of a buffer of 3 MB, a reader at 20 KB/s frees a third in 50 s. This table shows every
 * acknowledgement. It has a line for each connection, so it is read only if connections seem to stand still.
 */
export async function readKernelQueues(): Promise<KernelQueues | undefined> {
  // The connections of this network namespace (proc_pid_net(5)).
  const ipv4 = await readFile('/proc/self/net/tcp', 'latin1').catch(() => undefined);
  if (ipv4 === undefined) return undefined;
  // Does not exist without IPv6.
  const ipv6 = await readFile('/proc/self/net/tcp6', 'latin1').catch(() => '');
  const queues = new Map<string, number>();
  for (const [, local = '', remote = '', queued = ''] of (ipv4 + ipv6).matchAll(line)) {
    queues.set(`${unmap(local)} ${unmap(remote)}`, Number.parseInt(queued, 16));
  }
  return ({ localAddress, localPort, remoteAddress, remotePort }) =>
    queues.get(`${printEnd(localAddress, localPort)} ${printEnd(remoteAddress, remotePort)}`) ?? 0;
}

/** The IPv4 connections of a server on `::` are in the table of IPv6. */
function unmap(end: string): string {
  return end.startsWith(mappedPrefix) ? end.slice(mappedPrefix.length) : end;
}

/** An address and a port in the form of the table: words of 32 bits in the byte order of the machine. */
function printEnd(address: string | undefined, port: number | undefined): string {
  if (address === undefined || port === undefined) return '';
  const bytes = Buffer.from(ipaddr.process(address).toByteArray());
  if (endianness() === 'LE') bytes.swap32();
  const portText = port.toString(16).padStart(4, '0');
  return `${bytes.toString('hex')}:${portText}`.toUpperCase();
}
