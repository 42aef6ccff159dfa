import { describe, expect, it, onTestFinished } from 'vitest';
import { errorForm, formOf } from '../support/error-form.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { print, RawRegistry } from './support/raw-registry.ts';
import { answerText } from './support/vies-texts.ts';

const metric = 'vatfx_vat_check_echo_differences_total';
const sentence = 'the registry answered about another VAT number';

/** A service, and a registry that always answers for this number. */
async function startEchoing(echo: { readonly countryCode: string; readonly vatNumber: string }) {
  const registry = await RawRegistry.start((socket) => socket.end(print(200, answerText(echo))));
  onTestFinished(async () => registry[Symbol.asyncDispose]());
  return { registry, service: await startService({ config: { viesUrl: registry.url } }) };
}

async function countsOf(service: TestService): Promise<readonly string[]> {
  const { text } = await service.sendToOps('/metrics');
  return text.split('\n').filter((line) => line.startsWith(metric));
}

describe('an answer about another number (contract C22)', () => {
  it('is 502, is not cached, and is counted and logged by Member State', async () => {
    const { registry, service } = await startEchoing({ countryCode: 'DE', vatNumber: '4711' });

    const answers = [
      await service.get('/vatcheck/AT/1000'),
      await service.get('/vatcheck/AT/1000'),
      await service.get('/vatcheck/DE/1000'),
    ];

    expect(answers.map(formOf)).toEqual(Array.from({ length: 3 }, () => errorForm(502, sentence)));
    expect(registry.checks).toHaveLength(3);
    expect([...(await countsOf(service))].sort()).toEqual([
      `${metric}{member_state="AT",part="country",difference="other"} 2`,
      `${metric}{member_state="AT",part="number",difference="other"} 2`,
      `${metric}{member_state="DE",part="number",difference="other"} 1`,
    ]);
    const warnings = service.logLines.filter((line) => line.includes(sentence));
    expect(warnings).toHaveLength(5);
    expect(warnings.join()).not.toMatch(/4711|1000/);
  });
});

describe('an answer about the number in another form (contract C22)', () => {
  it('is accepted, and is counted by Member State', async () => {
    const { service } = await startEchoing({ countryCode: 'GR', vatNumber: 'EL 099.999.9901' });

    expect((await service.get('/vatcheck/GR/999999901')).status).toBe(200);

    expect(await countsOf(service)).toEqual([
      `${metric}{member_state="EL",part="country",difference="form"} 1`,
      `${metric}{member_state="EL",part="number",difference="form"} 1`,
    ]);
    expect(service.logLines.join()).not.toContain(sentence);
  });
});

describe('an answer with a field that cannot be read (rule K7)', () => {
  it('is accepted, and the field is counted by Member State, for stored checks as well', async () => {
    const text = answerText({ countryCode: 'AT', vatNumber: '1000', name: '<x/>' });
    const registry = await RawRegistry.start((socket) => socket.end(print(200, text)));
    onTestFinished(async () => registry[Symbol.asyncDispose]());
    const service = await startService({ config: { viesUrl: registry.url } });

    const { text: answer } = await service.get('/vatcheck/AT/1000');
    const body = JSON.stringify({ countryCode: 'AT', vatNumber: '1000' });
    const stored = await service.sendRequest({
      method: 'POST',
      path: '/vatchecks',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body,
    });

    expect(JSON.parse(answer)).toMatchObject({ valid: true, name: null });
    expect(JSON.parse(stored.text)).toMatchObject({ status: 'answered', valid: true, name: null });
    const { text: metrics } = await service.sendToOps('/metrics');
    expect(metrics).toContain(
      'vatfx_vat_check_unreadable_fields_total{registry="vies",member_state="AT",field="name"} 2\n',
    );
  });
});
