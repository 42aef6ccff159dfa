import type { Config } from '../../platform/config/options.ts';
import { roomFor } from '../../platform/connections/open-files.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Checks whether the limit of open files allows as many connections as are configured. */
export function checkOpenFiles(
  { maxConnections }: Pick<Config, 'maxConnections'>,
  room = roomFor(maxConnections),
): Finding {
  const check = 'connections';
  const { connectionsMax, filesMax } = room;
  if (connectionsMax === maxConnections) {
    return ok(check, `${maxConnections} fit into the limit of open files`);
  }
  return warning(
    check,
    `${connectionsMax} of ${maxConnections} fit, because a process may open ${filesMax} files`,
    `raise the limit of open files to ${maxConnections + 1_000} ("ulimit -n", LimitNOFILE= of systemd), or lower MAX_CONNECTIONS`,
  );
}
