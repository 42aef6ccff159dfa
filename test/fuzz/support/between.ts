import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveHttp } from '../../support/loopback-server.ts';

/** A document as an upstream serves it. */
export type Served = { readonly status: number; readonly type: string; readonly body: string };

/** Replacements of TEDB's answer and the ECB's files. */
export type Instead = Partial<Record<'tedb' | 'daily' | '90d', Served>>;

/**
 * A proxy between a service and the sandbox's TEDB and ECB until the test ends. It can serve replacements
 * of their documents. It sends no validators, so every refresh reads whole documents.
 */
export class Between {
  readonly url: string;
  instead: Instead = {};
  /** Addresses of the sandbox, once it runs. */
  upstreams = { tedbUrl: '', ecbUrl: '' };

  /** The request for rates that was seen last. */
  #asked = { body: '', soapaction: '' };

  static async open(): Promise<Between> {
    const url = await serveHttp((request, response) => {
      between.#serve(request).then(
        ({ status, type, body }) => {
          // The service's time is scripted: a Date would contradict its clock (contract C17a).
          response.sendDate = false;
          response.writeHead(status, { 'Content-Type': type }).end(body);
        },
        () => response.destroy(),
      );
    });
    const between = new Between(url);
    return between;
  }

  private constructor(url: string) {
    this.url = url;
  }

  /** TEDB's answer for a date to its last request. */
  async fetchRates(date: string): Promise<Served> {
    const { body, soapaction } = this.#asked;
    const ofDate = body.replace(/(?<=situationOn>)\d{4}-\d\d-\d\d/, date);
    return this.#requestRates(ofDate, soapaction);
  }

  /** The ECB's file of a name: `eurofxref-daily.xml`. */
  async fetchFile(name: string): Promise<Served> {
    return serveAs(await fetch(this.upstreams.ecbUrl + name));
  }

  async #serve(request: IncomingMessage): Promise<Served> {
    const { url = '/', headers } = request;
    const body = await text(request);
    const told = Object.entries(this.instead).find(([file]) => url.includes(file));
    if (url !== '/tedb') return told?.[1] ?? this.fetchFile(url.slice(1));
    this.#asked = { body, soapaction: String(headers['soapaction']) };
    return told?.[1] ?? this.#requestRates(body, this.#asked.soapaction);
  }

  async #requestRates(body: string, soapaction: string): Promise<Served> {
    const headers = { 'content-type': 'text/xml; charset=utf-8', soapaction };
    return serveAs(await fetch(this.upstreams.tedbUrl, { method: 'POST', headers, body }));
  }
}

async function serveAs(answer: Response): Promise<Served> {
  const { status, headers } = answer;
  return { status, type: headers.get('content-type') ?? '', body: await answer.text() };
}
