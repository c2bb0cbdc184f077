import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { makeCertificateFiles } from './certificate.test-support';
import { loadTls } from './tls';

const day = 86_400_000;

const failure = (run: () => unknown): { code?: string; message: string } => {
  try {
    run();
  } catch (error) {
    return error as { code?: string; message: string };
  }
  throw new Error('nothing was thrown');
};

describe('TLS files', () => {
  it('are loaded when the certificate and its key belong together', () => {
    const files = makeCertificateFiles();
    const { cert, key } = loadTls(files, Date.now());
    expect(new X509Certificate(cert).subject).toBe('CN=test');
    expect(key).toEqual(readFileSync(files.keyFile));
  });

  it.each([
    [
      'a missing certificate',
      (f: Files) => ({ ...f, certFile: '/nowhere/cert.pem' }),
      /certFile cannot be read \(ENOENT\)/,
    ],
    [
      'a missing key',
      (f: Files) => ({ ...f, keyFile: '/nowhere/key.pem' }),
      /keyFile cannot be read \(ENOENT\)/,
    ],
    [
      'a key in the place of the certificate',
      (f: Files) => ({ ...f, certFile: f.keyFile }),
      /is not a PEM certificate/,
    ],
    [
      'a certificate in the place of the key',
      (f: Files) => ({ ...f, keyFile: f.certFile }),
      /is not an unencrypted PEM/,
    ],
    [
      'a key of another pair',
      (f: Files) => ({ ...f, keyFile: makeCertificateFiles().keyFile }),
      /is not the key of/,
    ],
    ['an empty key', emptyKey, /is not an unencrypted PEM/],
  ])('stop the start with one plain sentence: %s', (_case, change, message) => {
    const error = failure(() => loadTls(change(makeCertificateFiles()), Date.now()));
    expect(error.code).toBe('CW_TLS_UNUSABLE');
    expect(error.message).toMatch(message);
  });

  it('are refused from one second after the certificate expired', () => {
    const to = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    const files = makeCertificateFiles({ from: new Date(to.getTime() - day), to });
    expect(loadTls(files, to.getTime())).toBeDefined();
    expect(failure(() => loadTls(files, to.getTime() + 1_000)).message).toMatch(/expired on/);
  });

  it('are refused before the certificate begins', () => {
    const files = makeCertificateFiles({
      from: new Date(Date.now() + day),
      to: new Date(Date.now() + 2 * day),
    });
    expect(failure(() => loadTls(files, Date.now())).message).toMatch(/is not valid before/);
  });
});

type Files = ReturnType<typeof makeCertificateFiles>;

function emptyKey(files: Files): Files {
  writeFileSync(files.keyFile, '');
  return files;
}
