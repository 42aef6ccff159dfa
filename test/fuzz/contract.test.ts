import { Agent } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Document } from '../openapi/support/document.ts';
import { ask } from '../support/ask.ts';
import { Dice } from '../support/dice.ts';
import { shareService, type TestService } from '../support/start-service.ts';
import { addSubscriber } from '../webhooks/support/subscriber.ts';
import { addAllRefused, addPoor } from './support/credentials.ts';
import { printQuestion, toRequest } from './support/question.ts';
import { QuestionMaker } from './support/question-maker.ts';
import { type Fault, judge } from './support/verdict.ts';
import { lived, stateDown, World } from './support/world.ts';

const isFull = process.env['R23'] === 'full';
/** For each of the two ways to answer. */
const requests = isFull ? 100_000 : 4_000;
/** Another one each day in a full run, so that it finds more; told with what it finds. */
const seed = Number(process.env['R23_SEED'] ?? (isFull ? Date.now() % 1_000_000 : 20_261_120));
const callers = 8;
const document = new Document();

/** How often each fault was seen, and the first of what was. */
type Findings = {
  readonly counts: Map<Fault, number>;
  readonly told: string[];
  readonly seen: Set<string>;
};

describe.each([
  ['through the fast path', true],
  ['without the fast path', false],
])('any request, %s (reliability R23)', (way, fastPath) => {
  const service = shareService({
    lived,
    config: { fastPath, failedAuthPerMinute: 'none' },
    script: (scenario) => {
      scenario.changeRate('HU', 'standard', ['25'], '2026-11-20');
      scenario.setMemberState(stateDown, 'down');
    },
  });

  it(
    'is answered as openapi.json and the contract say',
    async () => {
      const worlds = await openWorlds(service());
      const findings: Findings = { counts: new Map(), told: [], seen: new Set() };

      await Promise.all(
        worlds.map(async (world, at) => {
          const maker = new QuestionMaker(new Dice(seed + at), world, document);
          let agent = new Agent({ keepAlive: true });
          for (let asked = at; asked < requests; asked += callers) {
            const isPlain = await askOne(service(), { world, maker, findings, agent });
            if (isPlain && asked % 5 !== 0) continue;
            // One odd request, and its connection has left the fast path for good.
            agent.destroy();
            agent = new Agent({ keepAlive: true });
          }
          agent.destroy();
        }),
      );

      const count = (fault: Fault): number => findings.counts.get(fault) ?? 0;
      console.log(
        `R23: ${requests} requests ${way} (seed ${seed}), ${findings.seen.size} kinds of answers: ` +
          `${count('unexpected 5xx')} unexpected 5xx, ${count('undocumented')} undocumented, ` +
          `${count('invalid input accepted')} invalid accepted, ` +
          `${count('unauthenticated 2xx')} unauthenticated 2xx, ` +
          `${count('other than the contract says')} other than the contract says`,
      );
      expect(findings.told).toEqual([]);
      // What is refused for everything would pass too.
      expect(document.operations.filter(({ id }) => !findings.seen.has(`${id} 2`))).toEqual([]);
      expect(findings.seen.size).toBeGreaterThan(80);
    },
    isFull ? 1_800_000 : 120_000,
  );
});

async function openWorlds(service: TestService): Promise<readonly World[]> {
  const other = await addSubscriber(service);
  const { id } = await other.done<{ id: string }>('POST', '/webhooks', {
    url: 'https://198.100.0.9/',
  });
  const shared = {
    poor: await addPoor(service),
    refused: await addAllRefused(service, other),
    foreignIds: [id],
  };
  return Promise.all(Array.from({ length: callers }, async () => World.open(service, shared)));
}

/** Tells whether it was a plain question, as most callers ask. */
async function askOne(
  service: TestService,
  parts: {
    readonly world: World;
    readonly maker: QuestionMaker;
    readonly findings: Findings;
    readonly agent: Agent;
  },
): Promise<boolean> {
  const { world, maker, findings, agent } = parts;
  const question = maker.make();
  const answer = await ask(service.apiUrl, toRequest(question), agent).catch((cause: unknown) => {
    throw new Error(`seed ${seed}: ${printQuestion(question)}`, { cause });
  });

  for (const [fault, detail] of judge(question, answer, { world, document })) {
    findings.counts.set(fault, (findings.counts.get(fault) ?? 0) + 1);
    if (findings.told.length < 20) {
      findings.told.push(`${fault}: ${detail} — seed ${seed}: ${printQuestion(question)}`);
    }
  }
  const operation = document.find(question.method, question.target)?.id ?? 'none';
  world.learn(operation, question.ids, answer);
  findings.seen.add(`${operation} ${answer.status}`);
  if (answer.status < 300) findings.seen.add(`${operation} 2`);
  const { method, headers, credential } = question;
  return method === 'GET' && Object.keys(headers).length === 0 && credential.kind !== 'refused';
}
