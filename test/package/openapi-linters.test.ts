import { readFileSync } from 'node:fs';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';

const source = readFileSync('openapi.json', 'utf8');

describe('openapi.json', () => {
  it('has no problem that redocly finds', async () => {
    // `/vatchecks/batch/{id}` and `/vatchecks/{id}/evidence`: no id of a check is `batch`.
    const rules = { 'no-ambiguous-paths': 'off' } as const;
    const config = await createConfig({ extends: ['recommended'], rules });

    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });

    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('has no problem that spectral finds', async () => {
    const { Spectral } = spectralCore;
    const spectral = new Spectral();
    spectral.setRuleset({
      extends: [[spectralRulesets.oas, 'recommended']],
      // Not recommended by spectral, but a caller needs it.
      rules: { 'oas3-parameter-description': 'warn' },
    } as RulesetDefinition);

    const problems = await spectral.run(JSON.parse(source) as Record<string, unknown>);

    expect(problems.map(({ code, path }) => `${code}: ${path.join('/')}`)).toEqual([]);
  });

  it('is valid for swagger-parser', async () => {
    const parsed = await SwaggerParser.validate(JSON.parse(source));

    expect(Object.keys(parsed.paths ?? {}).length).toBeGreaterThan(15);
  });
});
