/** Requests to the event log, with their statuses. */
export const eventReads: readonly (readonly [status: number, path: string])[] = [
  [200, '/events'],
  [200, '/events?after=now'],
  [400, '/events?after=x'],
  [400, '/events?type=fx.changed'],
  [400, '/events?limit=0'],
  [400, '/events?waitSeconds=31'],
];
