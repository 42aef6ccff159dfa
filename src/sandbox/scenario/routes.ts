import { type Answer, jsonAnswer, parseJson } from '../transport/answer.ts';
import type { Scenario } from './scenario.ts';
import { readScript } from './script.ts';
import { readSentence } from './sentences.ts';

/** `/_scenario`: GET shows the scenario, POST adds a script to it, DELETE resets it. */
export function answerScenario(scenario: Scenario, method: string, body: string): Answer {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return jsonAnswer(200, scenario.describe());
    case 'POST':
      return applyScript(scenario, body);
    case 'DELETE':
      scenario.reset();
      return jsonAnswer(200, scenario.describe());
    default:
      return jsonAnswer(405, { error: `got ${method}, expected GET, POST or DELETE` });
  }
}

function applyScript(scenario: Scenario, body: string): Answer {
  const input = parseJson(body);
  if (input === undefined) {
    return jsonAnswer(400, {
      error: 'the body is not JSON, expected an object like {"today": "tomorrow"}',
    });
  }

  const sentence = readSentence(input, scenario);
  const read = sentence.kind === 'invalid' ? sentence : readScript(sentence.script, scenario.today);
  if (read.kind === 'invalid') return jsonAnswer(400, { error: read.problems.join('; ') });

  scenario.apply(read.script);
  return jsonAnswer(200, scenario.describe());
}
