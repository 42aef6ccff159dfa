import type { Answer } from './answer.ts';
import type { Scenario } from './scenario.ts';
import { readScript } from './scenario-script.ts';
import { readSentence } from './scenario-sentences.ts';

/** `/_scenario`: GET shows the script, POST adds to it, DELETE forgets it. */
export function answerScenario(scenario: Scenario, method: string, body: string): Answer {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return json(200, scenario.describe());
    case 'POST':
      return play(scenario, body);
    case 'DELETE':
      scenario.reset();
      return json(200, scenario.describe());
    default:
      return json(405, { error: `got ${method}, expected GET, POST or DELETE` });
  }
}

function play(scenario: Scenario, body: string): Answer {
  const input = parseJson(body);
  if (input === undefined) {
    return json(400, {
      error: 'the body is not JSON, expected an object like {"today": "tomorrow"}',
    });
  }

  const sentence = readSentence(input, scenario);
  if (sentence.kind === 'invalid') return json(400, { error: sentence.problems.join('; ') });
  const read = readScript(sentence.script, scenario);
  if (read.kind === 'invalid') return json(400, { error: read.problems.join('; ') });

  scenario.apply(read.script);
  return json(200, scenario.describe());
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function json(status: number, body: object): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: `${JSON.stringify(body, null, 2)}\n`,
  };
}
