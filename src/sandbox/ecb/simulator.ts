import { gzipSync } from 'node:zlib';

import { LRUCache } from 'lru-cache';

import { addDays, dateIn, dayOfWeek, type IsoDate, momentIn } from '../../platform/time/time.ts';
import type { Answer } from '../transport/answer.ts';
import { firstFixingDate, isPublicationDay, publicationDayOnOrBefore } from './calendar.ts';
import { fixingsOn, stripZeros } from './series.ts';
import { type FixingDay, printDaily, printHistory, printHistoryDay } from './xml.ts';
import { wordHash } from '../data/noise.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { EcbFault, FixingScript } from '../scenario/script.ts';

/** The folder of the files, as on www.ecb.europa.eu. */
export const ecbPath = '/stats/eurofxref/';

const files = {
  'eurofxref-daily.xml': 'daily',
  'eurofxref-hist-90d.xml': '90d',
  'eurofxref-hist.xml': 'hist',
} as const;

type FileKind = (typeof files)[keyof typeof files];

/** The parts of a request that the answer depends on. */
export interface EcbRequest {
  /** The file's name without the query, which the ECB ignores. */
  readonly file: string;
  readonly ifModifiedSince: string | undefined;
  readonly acceptsGzip: boolean;
}

/**
 * The ECB's web server: three files with the fixings up to the sandbox's time.
 *
 * A day is published at 15:56 Europe/Berlin. The second varies, as in the real files.
 */
export class EcbSimulator {
  readonly #scenario: Scenario;
  readonly #historyFrom: IsoDate;
  readonly #printedDays = new Map<IsoDate, string>();
  // The files of today have fewer than eight bodies, and a full history has nine megabytes.
  readonly #bodies = new LRUCache<string, Uint8Array>({ max: 8 });

  constructor(scenario: Scenario, historyFrom: IsoDate = firstFixingDate) {
    this.#scenario = scenario;
    this.#historyFrom = historyFrom;
  }

  answer(request: EcbRequest, fault: EcbFault): Answer {
    const kind = (files as Readonly<Record<string, FileKind | undefined>>)[request.file];
    const publication = kind === undefined ? undefined : this.#newestPublication(fault);
    if (kind === undefined || publication === undefined) return notFound();

    const { date: newest, publishedAt } = publication;
    const lastModified = this.#lastModified(kind, publishedAt);
    const headers = fileHeaders(lastModified, this.#scenario.clock.now());
    // Compared for equality, as nginx does: a sandbox that went back in time answers 200.
    if (request.ifModifiedSince === lastModified.toUTCString()) return { status: 304, headers };

    const body = this.#body(kind, newest, fault);
    if (!request.acceptsGzip) return { status: 200, headers, body };
    return {
      status: 200,
      headers: { ...headers, 'Content-Encoding': 'gzip' },
      body: this.#remember(`gzip ${this.#key(kind, newest, fault)}`, () =>
        gzipSync(body, { level: 1 }),
      ),
    };
  }

  #body(kind: FileKind, newest: IsoDate, fault: EcbFault): Uint8Array {
    return this.#remember(this.#key(kind, newest, fault), () =>
      Buffer.from(this.#print(kind, newest, fault)),
    );
  }

  #print(kind: FileKind, newest: IsoDate, fault: EcbFault): string {
    const top = this.#newestDay(newest, fault);
    if (kind === 'daily') return printDaily(top);

    const from = kind === '90d' ? addDays(newest, -89) : this.#historyFrom;
    const printed = [printHistoryDay(top)];
    for (let date = addDays(newest, -1); date >= from; date = addDays(date, -1)) {
      if (isPublicationDay(date)) printed.push(this.#printedDay(date));
    }
    return printHistory(printed);
  }

  #printedDay(date: IsoDate): string {
    const print = () => printHistoryDay(this.#day(date));
    if (this.#scriptedValues(date).length > 0) return print();
    return this.#printedDays.getOrInsertComputed(date, print);
  }

  #newestDay(newest: IsoDate, fault: EcbFault): FixingDay {
    const { missing } = this.#scenario.state.ecb;
    const source = fault === 'frozen' ? publicationDayOnOrBefore(addDays(newest, -1)) : newest;
    const fixings = this.#day(source).fixings.filter(({ currency }) => !missing.includes(currency));
    return { date: fault === 'weekend' ? nextSaturday(newest) : newest, fixings };
  }

  #day(date: IsoDate): FixingDay {
    // A scripted value of a listed currency takes its place; other currencies are appended.
    const values = new Map(fixingsOn(date).map(({ currency, value }) => [currency, value]));
    for (const { currency, value } of this.#scriptedValues(date)) {
      values.set(currency, stripZeros(value));
    }
    return { date, fixings: [...values].map(([currency, value]) => ({ currency, value })) };
  }

  #scriptedValues(date: IsoDate): readonly FixingScript[] {
    const { values, corrections } = this.#scenario.state.ecb;
    return [...values, ...corrections].filter((one) => one.date === date);
  }

  /** The newest published day; undefined if no day is published yet. */
  #newestPublication(fault: EcbFault): Publication | undefined {
    const now = this.#scenario.clock.now();
    const { lateDays, lateSince } = this.#scenario.state.ecb;
    let date = dateIn('Europe/Berlin', now);
    if (fault === 'old') date = addDays(date, -366);

    for (; date >= this.#historyFrom; date = addDays(date, -1)) {
      if (!isPublicationDay(date)) continue;
      const dueAt = publicationMoment(date, date);
      const isLate = lateDays > 0 && dueAt > lateSince;
      const publishedAt = isLate ? publicationMoment(date, addDays(date, lateDays)) : dueAt;
      if (publishedAt <= now) return { date, publishedAt };
    }
    return undefined;
  }

  #lastModified(kind: FileKind, publishedAt: number): Date {
    // The real 90-day file was seen to be one second older than the daily file.
    const written = kind === '90d' ? publishedAt - 1000 : publishedAt;
    return new Date(Math.max(written, this.#scenario.ecbChangedAt));
  }

  #key(kind: FileKind, newest: IsoDate, fault: EcbFault): string {
    return `${kind} ${newest} ${fault} ${this.#scenario.revision}`;
  }

  #remember(key: string, make: () => Uint8Array): Uint8Array {
    const body = this.#bodies.get(key) ?? make();
    this.#bodies.set(key, body);
    return body;
  }
}

interface Publication {
  readonly date: IsoDate;
  readonly publishedAt: number;
}

/** 15:56:10 to 15:56:51 in Frankfurt on a day; the second depends on the fixing. */
function publicationMoment(fixing: IsoDate, day: IsoDate): number {
  const seconds = 10 + (wordHash(fixing) % 42);
  return momentIn('Europe/Berlin', day, 15 * 60 + 56) + seconds * 1000;
}

function nextSaturday(date: IsoDate): IsoDate {
  let day = date;
  while (dayOfWeek(day) !== 6) day = addDays(day, 1);
  return day;
}

function fileHeaders(lastModified: Date, now: number): Readonly<Record<string, string>> {
  return {
    Server: 'myracloud',
    Date: new Date(now).toUTCString(),
    'Content-Type': 'text/xml',
    'X-Frame-Options': 'SAMEORIGIN',
    'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
    'Last-Modified': lastModified.toUTCString(),
    'X-XSS-Protection': '1; mode=block',
    'Content-Disposition': 'attachment;',
    // As recorded: about ten minutes after the file was written, which is nearly always in the past.
    Expires: new Date(lastModified.getTime() + 604_000).toUTCString(),
    'Cache-Control': 'max-age=300',
    'X-CDN': '1',
  };
}

function notFound(): Answer {
  return {
    status: 404,
    headers: { Server: 'myracloud', 'Content-Type': 'text/html' },
    body: '<html><head><title>404 Not Found</title></head><body>Not Found</body></html>\n',
  };
}
