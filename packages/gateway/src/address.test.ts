import { formatUrl, isLoopback, normalizeHost } from './address';

describe('addresses', () => {
  it.each([
    '127.0.0.1',
    '127.9.8.7',
    '::1',
    '0:0:0:0:0:0:0:1',
    '0000::0001',
    '::ffff:127.0.0.1',
    'localhost',
    'LOCALHOST',
  ])('%s is a loopback address', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '::',
    '::2',
    '::10',
    '1::1',
    '128.0.0.1',
    '::ffff:10.0.0.1',
    '127.0.0.1.example.com',
    'example',
    '',
  ])('"%s" is none', (host) => {
    expect(isLoopback(host)).toBe(false);
  });

  it('takes an IPv6 address with or without brackets', () => {
    expect(normalizeHost('[::1]')).toBe('::1');
    expect(normalizeHost('::1')).toBe('::1');
    expect(normalizeHost('127.0.0.1')).toBe('127.0.0.1');
  });

  it('prints an IPv6 address in brackets', () => {
    expect(formatUrl(false, '::', 8765)).toBe('ws://[::]:8765');
    expect(formatUrl(true, 'localhost', 443)).toBe('wss://localhost:443');
  });
});
