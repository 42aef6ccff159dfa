import type { Direction, FaultProxy } from '../../support/fault-proxy.ts';
import type { Fault } from '../../support/faulty-way.ts';

/** One cell of the matrix: a fault and its direction. */
export type Case = {
  readonly name: string;
  readonly fault: Fault;
  readonly direction: Direction;
};

/** Every fault in every direction, with sizes that are in the middle of a request or an answer. */
export function casesOf(sizes: {
  readonly question: number;
  readonly answer: number;
}): readonly Case[] {
  return (['toServer', 'toClient'] as const).flatMap((direction) => {
    const afterBytes = Math.floor((direction === 'toServer' ? sizes.question : sizes.answer) / 2);
    const faults: readonly Fault[] = [
      { kind: 'latency', delayMs: 150 },
      { kind: 'drip', bytes: Math.ceil(afterBytes / 10), everyMs: 5 },
      { kind: 'cut', afterBytes },
      { kind: 'reset', afterBytes },
      { kind: 'black-hole', afterBytes },
    ];
    return faults.map((fault) => ({ name: `${fault.kind} ${direction}`, fault, direction }));
  });
}

/** Begins the fault on open and later connections. */
export function begin(proxy: FaultProxy, { fault, direction }: Case): void {
  proxy.set(fault, { direction });
}
