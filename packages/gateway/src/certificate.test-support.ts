import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsFiles } from './tls';

/** A throw-away certificate for 127.0.0.1 with its key, as PEM files in a new folder. */
export function makeCertificateFiles(
  validity: { readonly from: Date; readonly to: Date } = thisYear(),
): TlsFiles {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const folder = mkdtempSync(join(tmpdir(), 'callwright-certificate-'));
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  writeFileSync(files.certFile, pem('CERTIFICATE', certificateDer(publicKey, privateKey, validity)));
  writeFileSync(files.keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return files;
}

function thisYear(): { from: Date; to: Date } {
  const day = 86_400_000;
  return { from: new Date(Date.now() - day), to: new Date(Date.now() + 364 * day) };
}

/** A self-signed X.509 certificate, version 3, written as DER by hand: Node reads certificates but makes none. */
function certificateDer(
  publicKey: KeyObject,
  privateKey: KeyObject,
  validity: { from: Date; to: Date },
): Buffer {
  const algorithm = sequence(Buffer.from('06082a8648ce3d040302', 'hex')); // ecdsa-with-SHA256
  const name = sequence(
    der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('test')))),
  );
  const alternativeNames = sequence(
    der(0x87, Buffer.from([127, 0, 0, 1])),
    der(0x82, Buffer.from('localhost')),
  );
  const extensions = sequence(sequence(Buffer.from('0603551d11', 'hex'), der(0x04, alternativeNames)));
  const body = sequence(
    der(0xa0, Buffer.from([2, 1, 2])),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(validity.from), time(validity.to)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]);
  return sequence(body, algorithm, der(0x03, signature));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function time(date: Date): Buffer {
  const text = date.toISOString().replace(/[-:T]/g, '').replace(/\.\d+/, '');
  return der(0x18, Buffer.from(text));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
