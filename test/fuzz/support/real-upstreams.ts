import { serveHttp } from '../../support/loopback-server.ts';
import { type EcbFileDay, printFile } from '../../support/print-ecb-file.ts';
import { type Interval, readHistory } from '../../real-input/tedb-records.ts';

const service = 'urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService';

/** Serves the data of TEDB for the queried date, printed from the captured records. */
export async function serveRealRates(): Promise<string> {
  return serveHttp((request, response) => {
    // The time is scripted: a Date would contradict the service's clock (contract C17a).
    response.sendDate = false;
    let asked = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (asked += chunk));
    request.on('end', () => {
      const date = /(?<=situationOn>)[\d-]{10}/.exec(asked)?.[0] ?? '';
      response.writeHead(200, { 'Content-Type': 'text/xml;charset=UTF-8' }).end(printRates(date));
    });
  });
}

/** Serves the ECB's files as they were on the newest of these days, which comes first. */
export async function serveRealFixings(series: readonly EcbFileDay[]): Promise<string> {
  const files: Readonly<Record<string, string>> = {
    '/eurofxref-hist.xml': printFile(series),
    '/eurofxref-hist-90d.xml': printFile(series.slice(0, 62)),
    '/eurofxref-daily.xml': printFile(series.slice(0, 1)),
  };
  return serveHttp((request, response) => {
    response.sendDate = false;
    response.writeHead(200, { 'Content-Type': 'text/xml' }).end(files[request.url ?? '']);
  });
}

function printRates(date: string): string {
  const rows = Object.entries(readHistory().countries).map(([state, { standard, reduced }]) => {
    const isOn = ({ from, to }: Interval): boolean => from <= date && (to === null || date < to);
    // A record has the day on which one of its values began or ended.
    const days = [...standard, ...reduced].flatMap(({ from, to }) => [from, to ?? '']);
    const began = days.filter((day) => day <= date).reduce((a, b) => (a > b ? a : b), '');
    const print = (type: string, rateType: string, percent: string): string =>
      `<vatRateResults><memberState>${state}</memberState><type>${type}</type>` +
      `<rate><type>${rateType}</type><value>${percent}</value></rate>` +
      `<situationOn>${began}+01:00</situationOn></vatRateResults>`;
    return [
      ...standard.filter(isOn).map(({ percent }) => print('STANDARD', 'DEFAULT', percent)),
      ...reduced.filter(isOn).map(({ class: of, percent }) => {
        return print('REDUCED', of === 'REDUCED' ? 'REDUCED_RATE' : `${of}_RATE`, percent);
      }),
    ].join('');
  });
  return (
    '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header/><env:Body>' +
    `<ns0:retrieveVatRatesRespMsg xmlns="${service}:types" xmlns:ns0="${service}">` +
    `<additionalInformation/>${rows.join('')}</ns0:retrieveVatRatesRespMsg></env:Body></env:Envelope>`
  );
}
