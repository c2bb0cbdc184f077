import {
  DELIVERY_DOUBT_MS,
  LEDGER_KEPT_BYTES,
  LEDGER_KEYS_LIMIT,
  Ledger,
  type LedgerEntry,
  UNDELIVERED_FOR_MS,
} from './ledger';
import type { ToolRequest } from './link';

function request(wireKey: string, args: Record<string, unknown> = {}, sizeBytes = 100): ToolRequest {
  return {
    id: 1,
    callId: 't1.1',
    name: 'book',
    args,
    kind: 'side_effect',
    epoch: 1,
    wireKey,
    timeoutMs: 5_000,
    source: JSON.stringify(args).padEnd(sizeBytes),
    readArgs: JSON.parse,
  };
}

const TOOL = { name: 'book' };

function at(nowMs: number): { nowMs(): number } {
  return { nowMs: () => nowMs };
}

function begun(ledger: Ledger, asked: ToolRequest, nowMs = 0): LedgerEntry {
  const verdict = ledger.look(asked, TOOL, at(nowMs));
  if (verdict.kind !== 'run') throw new Error(`expected to run, got ${verdict.kind}`);
  verdict.entry.begun = true;
  return verdict.entry;
}

describe('ledger', () => {
  it('remembers so many keys and refuses the next', () => {
    const ledger = new Ledger();
    for (let key = 0; key < LEDGER_KEYS_LIMIT; key++) begun(ledger, request(`k${key}`));
    expect(ledger.look(request('k0'), TOOL, at(0)).kind).toBe('join');
    expect(ledger.look(request('one more'), TOOL, at(0))).toEqual({
      kind: 'refuse',
      message: 'too many actions in this call',
    });
  });

  it('keeps answers up to its bound and drops the oldest first; what is dropped is still known', () => {
    const ledger = new Ledger();
    const half = JSON.stringify('x'.repeat(LEDGER_KEPT_BYTES / 2 - 2));
    for (const key of ['a', 'b']) ledger.settle(begun(ledger, request(key)), { kind: 'result', json: half });
    expect(ledger.look(request('a'), TOOL, at(0)).kind).toBe('known');
    ledger.settle(begun(ledger, request('c')), { kind: 'result', json: '1' });
    expect(ledger.look(request('a'), TOOL, at(0))).toEqual({
      kind: 'refuse',
      message: 'this was done before; its result is no longer kept',
    });
    expect(ledger.look(request('b'), TOOL, at(0)).kind).toBe('known');
  });

  it.each([
    [DELIVERY_DOUBT_MS - 1, 'known'],
    [DELIVERY_DOUBT_MS, 'run'],
  ])('an answer %i ms before a loss: the identical request is %s', (beforeMs, kind) => {
    const ledger = new Ledger();
    const entry = begun(ledger, request('a'));
    ledger.settle(entry, { kind: 'result', json: '1' });
    ledger.answered(entry, 1_000);
    ledger.linkLost(1_000 + beforeMs);
    expect(ledger.look(request('b'), TOOL, at(1_000 + beforeMs)).kind).toBe(kind);
  });

  it('compares arguments by value, whatever the order of their keys', () => {
    const ledger = new Ledger();
    begun(ledger, request('a', { x: 1, y: { z: [1, 2] } }));
    expect(ledger.look(request('a', { y: { z: [1, 2] }, x: 1 }), TOOL, at(0)).kind).toBe('join');
    expect(ledger.look(request('a', { y: { z: [2, 1] }, x: 1 }), TOOL, at(0)).kind).toBe('refuse');
  });

  it('no longer compares arguments that its bound dropped', () => {
    const ledger = new Ledger();
    const done = { kind: 'result', json: '1' } as const;
    ledger.settle(begun(ledger, request('a', { x: 1 })), done);
    for (let key = 0; key < 3; key++)
      ledger.settle(begun(ledger, request(`k${key}`, {}, LEDGER_KEPT_BYTES / 2)), done);
    expect(ledger.look(request('a', { x: 2 }), TOOL, at(0)).kind).toBe('known');
  });

  it('keeps the arguments of what still runs, however much comes after it', () => {
    const ledger = new Ledger();
    begun(ledger, request('a', { x: 1 }));
    for (let key = 0; key < 3; key++) begun(ledger, request(`k${key}`, {}, LEDGER_KEPT_BYTES / 2));
    ledger.linkLost(1_000);
    expect(ledger.look(request('b', { x: 1 }), TOOL, at(2_000)).kind).toBe('join');
  });

  it('gives an undelivered outcome to identical requests up to its time and not after', () => {
    const ledger = new Ledger();
    const entry = begun(ledger, request('a', { x: 1 }));
    ledger.settle(entry, { kind: 'result', json: '1' });
    ledger.markUndelivered(entry, 1_000);
    expect(ledger.look(request('b', { x: 1 }), TOOL, at(1_000 + UNDELIVERED_FOR_MS - 1)).kind).toBe('known');
    expect(ledger.look(request('c', { x: 1 }), { ...TOOL, repeatable: true }, at(1_000)).kind).toBe('run'); // repeatable
    expect(ledger.look(request('d', { x: 1 }), TOOL, at(1_000 + UNDELIVERED_FOR_MS)).kind).toBe('run');
  });

  it('never gives out an outcome that was delivered', () => {
    const ledger = new Ledger();
    const entry = begun(ledger, request('a', { x: 1 }));
    ledger.markUndelivered(entry, 0);
    ledger.settle(entry, { kind: 'result', json: '1' });
    ledger.answered(entry, 10);
    expect(ledger.look(request('b', { x: 1 }), TOOL, at(20)).kind).toBe('run');
    expect(ledger.takeUntold(20)).toEqual([]);
  });
});
