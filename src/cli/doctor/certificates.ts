import { X509Certificate } from 'node:crypto';
import { certificatesBytesMax, readSmallFile } from '../../platform/files/small-file.ts';
import { type Finding, ok, wrong } from './finding.ts';

const advice =
  'set it to a file of certificates in PEM form that the user of vatfx may read, and start vatfx again';

/** Checks the file of `NODE_EXTRA_CA_CERTS`, without which Node goes on: connections then fail. No finding if it is not set. */
export function checkCertificates(path: string | undefined): readonly Finding[] {
  if (path === undefined || path === '') return [];
  const check = 'certificates';
  const read = readSmallFile(path, certificatesBytesMax);
  if (!('bytes' in read)) {
    const reason = read.code ?? read.found;
    const found = `the file ${path} of NODE_EXTRA_CA_CERTS cannot be read (${reason})`;
    return [wrong(check, found, advice)];
  }
  const text = read.bytes.toString('utf8');
  const blocks = text.match(/-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----[^-]*-----END \1-----/g) ?? [];
  if (blocks.length === 0) {
    const found = `the file ${path} of NODE_EXTRA_CA_CERTS has no certificate in PEM form`;
    return [wrong(check, found, advice)];
  }
  const broken = blocks.findIndex((block) => !isCertificate(block));
  if (broken === -1) return [ok(check, `${blocks.length} of ${path} are trusted as well`)];
  const found = `certificate ${broken + 1} of ${blocks.length} in ${path} (NODE_EXTRA_CA_CERTS) cannot be read`;
  return [wrong(check, found, advice)];
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0;
  } catch {
    return false;
  }
}
