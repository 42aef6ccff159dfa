import type { Config } from '../../platform/config/options.ts';
import {
  describeListenFailure,
  formatAddress,
  holdPlace,
  type Place,
  placesOf,
} from '../../platform/http/server/place.ts';
import { errorCodeOf } from '../../platform/log/errors.ts';
import { fetchLocally } from '../running/fetch-locally.ts';
import { type Finding, ok, wrong } from './finding.ts';

/** Milliseconds in which a vatfx on this machine answers, also if the machine is busy. */
const timeoutMs = 10_000;

/** Checks whether the ports are free or in use by vatfx. */
export function checkPorts(config: Config): readonly Promise<Finding>[] {
  const [api, operations] = placesOf(config);
  return [
    checkPort('API port', api, async (url) => {
      // Without a key vatfx refuses, with its own header.
      const answer = await fetchInTime(`${url}/usage`);
      return [401, 429, 503].includes(answer.status) && answer.headers.has('x-request-id');
    }),
    checkPort('operations port', operations, async (url) => {
      const answer = await fetchInTime(`${url}/live`);
      return answer.ok && (await answer.text()) === '{"status":"live"}';
    }),
  ];
}

async function fetchInTime(url: string): ReturnType<typeof fetchLocally> {
  return fetchLocally(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
}

async function checkPort(
  check: string,
  place: Place,
  isVatfx: (url: string) => Promise<boolean>,
): Promise<Finding> {
  const { host, port } = place;
  const address = formatAddress(host, port);
  try {
    await using _ = await holdPlace(place);
    return ok(check, port === 0 ? 'any free port' : `${address} is free`);
  } catch (error) {
    // A port that listens on `::` receives IPv4 as well.
    const localHost = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
    const isTaken = errorCodeOf(error) === 'EADDRINUSE';
    if (isTaken && (await isVatfx(`http://${formatAddress(localHost, port)}`).catch(() => false))) {
      return ok(check, `${address} is taken by a vatfx that answers`);
    }
    const { found, advice } = describeListenFailure(place, error);
    return wrong(check, found, advice);
  }
}
