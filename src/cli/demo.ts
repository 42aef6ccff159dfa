import { addDays, systemClock } from '../platform/time.ts';
import { daysShown, type DemoWorld, startDemoWorld } from './demo-world.ts';
import { chooseDemoPlace, type DemoOptions, type DemoPlace } from './demo-ports.ts';
import type { Io } from './io.ts';
import { isEveryAddress } from './options.ts';
import { printToStderr } from './report.ts';
import { everyAddress } from './sandbox.ts';
import { listenForStop } from './stop-signal.ts';
import { createCommandLog, loadWithWarnings } from './with-core.ts';

const opsNames =
  'The operations port knows addresses, and of names only localhost and those in OPS_HOSTS.';

/** Runs the service with three weeks of history and without internet, until a signal stops it. */
export async function demo(io: Io, options: DemoOptions): Promise<void> {
  const loaded = loadWithWarnings(io);
  const log = createCommandLog(io, loaded);
  using stop = listenForStop(io, log);
  const place = await chooseDemoPlace(loaded.config, options, (sentence) =>
    printToStderr(io, sentence),
  );
  printToStderr(io, `Running the jobs of the last ${daysShown} days …`);
  await using world = await startDemoWorld({
    ...place,
    log,
    clock: systemClock,
    signal: stop.signal,
  });
  if (world === undefined) return;

  world.service.startJobs();
  world.service.startDelivery();
  io.stdout.write(describeDemo(world, place));
  await stop.wait();
}

function describeDemo({ service, sandbox, key, folder }: DemoWorld, { config }: DemoPlace): string {
  const { today } = sandbox.scenario;
  const tomorrow = addDays(today, 1);
  const curl = (path: string): string =>
    `  curl -H 'Authorization: Bearer ${key}' '${service.apiUrl}${path}'`;
  return [
    '',
    `vatfx is at       ${service.apiUrl}`,
    `console           ${service.apiUrl}/`,
    `operations port   ${service.opsUrl}/status`,
    `sandbox           ${sandbox.url}`,
    `data folder       ${folder} (removed at the end)`,
    `API key           ${key}`,
    ...(isEveryAddress(config.host) ? ['', everyAddress, opsNames] : []),
    '',
    'Try:',
    curl('/rates'),
    curl(`/rates/${addDays(today, -14)}`),
    curl('/changes?country=hu'),
    curl('/fx'),
    curl('/fx/oss/2023-Q4'),
    curl('/vatcheck/GR/100'),
    curl('/vatchecks') + ` -d '{"countryCode": "GR", "vatNumber": "100"}'`,
    '',
    'The upstreams are simulated. VAT rates are the real ones since 2016, except for two invented changes',
    '(HU standard, IE reduced); exchange rates between year-ends are generated. Make your own change, then',
    'set the time after the daily run at 07:00 UTC, and look at /changes:',
    `  curl ${sandbox.url}/_scenario -d '{"say": "SE standard 25 → 24 from ${tomorrow}"}'`,
    `  curl ${sandbox.url}/_scenario -d '{"now": "${tomorrow}T08:00:00Z"}'`,
    '',
    'Get a webhook for it: subscribe a receiver of the sandbox, give the receiver the secret from the answer, make',
    'your change, and see what the receiver got and whether its signature is valid:',
    curl('/webhooks') + ` -d '{"url": "${sandbox.receiverUrl('demo')}"}'`,
    `  curl -X PUT ${sandbox.receiverUrl('demo')} -d '{"secrets": ["whsec_…"]}'`,
    `  curl ${sandbox.receiverUrl('demo')}`,
    'The demo also delivers to receivers of your own on this machine, such as http://127.0.0.1:4000/vat. After you have',
    'set the time, a receiver with its own clock refuses the timestamps; the script {"today": null} sets it back.',
    '',
    'Ctrl-C ends it.',
    '',
  ].join('\n');
}
