import { styleText } from 'node:util';
import { checkAssets } from '../../platform/build.ts';
import { addDays, systemClock } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { plain } from '../command/command.ts';
import type { Io } from '../command/io.ts';
import { printToStderr } from '../command/report.ts';
import { everyAddress, isEveryAddress } from '../servers/listening.ts';
import { createProgress } from '../running/progress.ts';
import { listenForStop } from '../running/stop-signal.ts';
import { openCommandLog, loadWithWarnings } from '../running/with-database.ts';
import { daysShown } from './history.ts';
import { chooseDemoPlace, demoOptions, type DemoPlace } from './ports.ts';
import { tellStory } from './story.ts';
import { type DemoWorld, receiverName, startDemoWorld } from './world.ts';

const opsNames =
  'The operations port answers requests to an address and to private names, such as localhost.';

/** Runs the service with three weeks of history and without internet, until a signal stops it. */
export const demo = plain({
  examples: ['demo', 'demo --port 8090 --ops-port 9090', 'demo --host 0.0.0.0'],
  options: demoOptions,
  run: async (io, { options }) => {
    checkAssets();
    const loaded = loadWithWarnings(io);
    const log = await openCommandLog(io, loaded);
    using stop = listenForStop(io, log);
    const place = await chooseDemoPlace(loaded.config, options, (sentence) =>
      printToStderr(io, sentence),
    );
    printToStderr(io, `Running the jobs of the last ${daysShown} days …`);
    await using world = await startWithProgress(io, { ...place, log, signal: stop.signal });
    if (world === undefined) return;

    const story = await printStory(io, world);
    world.service.startJobs();
    io.stdout.write([describePlaces(world, place), story, describeNextSteps(world)].join('\n'));
    await stop.wait();
  },
});

async function startWithProgress(
  io: Io,
  options: Omit<Parameters<typeof startDemoWorld>[0], 'clock' | 'onDay'>,
): Promise<DemoWorld | undefined> {
  using progress = createProgress(io.stderr);
  const onDay = (day: string): void => progress.show(day);
  return await startDemoWorld({ ...options, clock: systemClock, onDay });
}

function describePlaces(
  { service, sandbox, key, folder }: DemoWorld,
  { config }: DemoPlace,
): string {
  return [
    '',
    `vatfx is at       ${service.apiUrl}`,
    `console           ${service.apiUrl}/#key=${key}`,
    `operations port   ${service.opsUrl}/status`,
    `sandbox           ${sandbox.url}`,
    `data folder       ${folder} (removed at the end)`,
    `API key           ${key}`,
    ...(isEveryAddress(config.host) ? ['', everyAddress, opsNames] : []),
    '',
    'Three weeks have passed in this demo. Every response below is real; … stands for what is left out.',
    'To make the calls yourself, set these in a second terminal. DATABASE_URL is for commands, such as',
    `"${vatfx('keys list')}":`,
    '',
    `  KEY=${key}`,
    `  export DATABASE_URL=${String(service.core.config.databaseUrl)}`,
    '',
  ].join('\n');
}

async function printStory(io: Io, world: DemoWorld): Promise<string> {
  const chapters = await tellStory(world);
  return chapters
    .map(({ title, paragraphs }, index) => {
      const heading = styleText('bold', `${index + 1}. ${title}`, { stream: io.stdout });
      return [heading, ...paragraphs, ''].join('\n');
    })
    .join('\n');
}

function describeNextSteps({ service, sandbox }: DemoWorld): string {
  const tomorrow = addDays(sandbox.scenario.today, 1);
  return [
    'Go on by hand: make your own change, set the time after the daily run at 07:00 UTC, and look at',
    '/changes and at the receiver:',
    `  curl ${sandbox.url}/_scenario -d '{"say": "SE standard 25 → 24 from ${tomorrow}"}'`,
    `  curl ${sandbox.url}/_scenario -d '{"now": "${tomorrow}T08:00:00Z"}'`,
    `  curl ${sandbox.receiverUrl(receiverName)}`,
    '',
    'The upstreams are simulated. VAT rates are the real ones since 2016, except for two invented changes',
    '(HU standard, IE reduced); exchange rates between year-ends are generated. Webhooks also reach',
    'receivers of your own on this machine, such as http://127.0.0.1:4000/vat. After you have set the',
    'time, a receiver with its own clock refuses the timestamps; the script {"today": null} sets it back.',
    `The reference of the API is at ${service.apiUrl}/docs.`,
    '',
    'Ctrl-C ends it.',
    '',
  ].join('\n');
}
