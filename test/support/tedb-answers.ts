import type { IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { createMetrics } from '../../src/platform/metrics.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { Upstream } from '../../src/platform/upstream/upstream.ts';
import { TedbClient } from '../../src/rates/tedb-client.ts';
import { serveHttp } from './loopback-server.ts';
import { SettableClock } from './settable-clock.ts';

export const service = 'urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService';
const metrics = createMetrics();

export function envelope(content: string): string {
  return (
    '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header/>' +
    `<env:Body>${content}</env:Body></env:Envelope>`
  );
}

/** An answer with these rows, in the layout of real answers. */
export function answerWith(...rows: readonly string[]): string {
  return envelope(
    `<ns0:retrieveVatRatesRespMsg xmlns="${service}:types" xmlns:ns0="${service}">` +
      `<additionalInformation/>${rows.join('')}</ns0:retrieveVatRatesRespMsg>`,
  );
}

export function row(
  parts: { rate?: string; more?: string; type?: string; state?: string; on?: string } = {},
) {
  const { state = 'DE', type = 'STANDARD', on = '2026-07-01+02:00', more = '' } = parts;
  const rate = parts.rate ?? '<type>DEFAULT</type><value>19.0</value>';
  return (
    `<vatRateResults><memberState>${state}</memberState><type>${type}</type>` +
    `<rate>${rate}</rate><situationOn>${on}</situationOn>${more}</vatRateResults>`
  );
}

export type Answer = {
  status?: number;
  body?: string | Buffer;
  headers?: Readonly<Record<string, string>>;
};

/** A client of a server that sends these answers in turn, and the last one to all later requests. */
export async function openClient(...answers: readonly Answer[]) {
  const asked: { request: IncomingMessage; body: string }[] = [];
  const url = await serveHttp((request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const answer = answers[Math.min(asked.length, answers.length - 1)] ?? {};
      asked.push({ request, body });
      const headers = { 'Content-Type': 'text/xml; charset=UTF-8', ...answer.headers };
      response.writeHead(answer.status ?? 200, headers).end(answer.body);
    });
  });
  const clock = new SettableClock('2026-11-20T07:00:00Z');
  const upstream = new Upstream('tedb', { clock, metrics });
  onTestFinished(async () => upstream.close());
  const retry = { attempts: 2, firstDelayMs: 1 };
  const client = new TedbClient(upstream, { url: `${url}/tedb/ws/`, retry });
  const { signal } = new AbortController();
  return { asked, fetch: async () => client.fetchRows(isoDate('2026-11-20'), signal) };
}
