import { Agent } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Document } from '../openapi/support/document.ts';
import type { Scenario } from '../../src/sandbox/scenario/scenario.ts';
import { type Answer, sendRequest, type TestRequest } from '../support/send-request.ts';
import { Dice } from '../support/dice.ts';
import { countOf, isFull, seedOf, reportFigure } from '../support/proof.ts';
import { shareService, type StartOptions, type TestService } from '../support/start-service.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { addSubscriber } from '../webhooks/support/subscriber.ts';
import { addAllRefused, addPoor } from './support/credentials.ts';
import { printQuestion, toRequest } from './support/question.ts';
import { isJudgedByDocument } from './support/oracle.ts';
import { QuestionMaker } from './support/question-maker.ts';
import { type Fault, judge } from './support/verdict.ts';
import { lived, stateDown, World } from './support/world.ts';
import { changeRate, setMemberState } from '../support/sandbox/scripts.ts';

const requests = isPostgresql
  ? countOf({ full: 10_000, perCommit: 6_000 })
  : countOf({ full: 100_000, perCommit: 6_000 });
const store = isPostgresql ? 'PostgreSQL' : 'SQLite';
/** With the one of a commit, every operation succeeds at least once. */
const seed = seedOf(20_261_127);
const callers = 8;
const document = new Document();
const options: StartOptions = {
  lived,
  config: {
    failedAuthPerMinute: 'none',
    fxBanks: ['nbp', 'cnb'],
    trustedProxies: ['127.0.0.1'],
  },
  script: (scenario: Scenario) => {
    changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-20');
    setMemberState(scenario, stateDown, 'down');
  },
};

let addresses = 0;
/** Time stands still, so the limit of an address on pages without a key would stay reached. */
function fromAnotherAddress(request: TestRequest): TestRequest {
  addresses += 1;
  const address = `10.0.${(addresses >> 8) & 255}.${addresses & 255}`;
  return { ...request, headers: { ...request.headers, 'x-forwarded-for': address } };
}

/** Number of each fault, and the first example. */
type Findings = {
  readonly counts: Map<Fault, number>;
  readonly told: string[];
  readonly seen: Set<string>;
};

describe('any request (reliability R23)', () => {
  const service = shareService(options);

  it(
    'gets an answer that openapi.json and the contract allow',
    async () => {
      const { counts, told, seen } = await sendAll(service(), requests);

      const count = (fault: Fault): number => counts.get(fault) ?? 0;
      reportFigure(
        'R23',
        `${requests} requests on ${store} (seed ${seed}), ${seen.size} kinds of answers: ` +
          `${count('unexpected 5xx')} unexpected 5xx, ${count('undocumented')} undocumented, ` +
          `${count('invalid input accepted')} invalid accepted, ` +
          `${count('unauthenticated 2xx')} unauthenticated 2xx, ` +
          `${count('other than the contract says')} other than the contract says`,
      );
      expect(told).toEqual([]);
      // A service that refuses every request would pass too.
      const known = document.operations.filter((one) => !isJudgedByDocument(one));
      expect(known.filter(({ id }) => !seen.has(`${id} 2`))).toEqual([]);
      expect(seen.size).toBeGreaterThan(80);
    },
    isFull ? 1_800_000 : 120_000,
  );
});

describe.skipIf(isPostgresql)('a broken build (reliability R23)', () => {
  const service = shareService(options);

  it.each<[fault: Fault, lie: Lie]>([
    [
      'unauthenticated 2xx',
      { sendRequest: (question, { good }) => ({ ...question, headers: good.headers }) },
    ],
    [
      'invalid input accepted',
      { sendRequest: (question) => ({ ...question, path: question.path.split('?')[0] ?? '' }) },
    ],
    [
      'unexpected 5xx',
      { answer: (answer) => ({ ...answer, status: answer.status === 404 ? 500 : answer.status }) },
    ],
    [
      'undocumented',
      {
        answer: (answer) => ({
          ...answer,
          text: answer.text.replaceAll(/"(?:error|rates)":/g, '"said":'),
        }),
      },
    ],
    [
      'other than the contract says',
      {
        answer: ({ headers, ...answer }) => ({
          ...answer,
          headers: { ...headers, 'cache-control': 'public, max-age=60' },
        }),
      },
    ],
  ])('is detected: %s', async (fault, lie) => {
    const { counts } = await sendAll(service(), 400, lie);

    expect(counts.get(fault) ?? 0).toBeGreaterThan(0);
  });
});

/** Broken builds: changes to requests before they are answered, or to answers. */
type Lie = {
  readonly sendRequest?: (question: TestRequest, world: World) => TestRequest;
  readonly answer?: (answer: Answer) => Answer;
};

async function sendAll(service: TestService, requestsCount: number, lie: Lie = {}) {
  const worlds = await openWorlds(service);
  const findings: Findings = { counts: new Map(), told: [], seen: new Set() };
  await Promise.all(
    worlds.map(async (world, at) => {
      const maker = new QuestionMaker(new Dice(seed + at), world, document);
      let agent = new Agent({ keepAlive: true });
      for (let asked = at; asked < requestsCount; asked += callers) {
        const isPlain = await sendOne(service, { world, maker, findings, agent, lie });
        if (isPlain && asked % 5 !== 0) continue;
        // A key is recalled by its connection, so an odd request often goes on to a new one.
        agent.destroy();
        agent = new Agent({ keepAlive: true });
      }
      agent.destroy();
    }),
  );
  return findings;
}

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

/** Whether it is a plain request, as most callers send. */
async function sendOne(
  service: TestService,
  parts: {
    readonly world: World;
    readonly maker: QuestionMaker;
    readonly findings: Findings;
    readonly agent: Agent;
    readonly lie: Lie;
  },
): Promise<boolean> {
  const { world, maker, findings, agent, lie } = parts;
  const question = maker.make();
  const request = fromAnotherAddress(toRequest(question));
  const given = await sendRequest(
    service.apiUrl,
    lie.sendRequest?.(request, world) ?? request,
    agent,
  ).catch((cause: unknown) => {
    throw new Error(`seed ${seed}: ${printQuestion(question)}`, { cause });
  });
  const answer = lie.answer?.(given) ?? given;

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
