import { inspect } from 'node:util';
import { IsString } from 'class-validator';
import { Nested, planDto, redact, Sensitive } from './index';

class Card {
  @Sensitive() @IsString() number!: string;
  @IsString() holder!: string;
}
class Payment {
  @Nested(() => Card) card!: Card;
  @IsString() pin!: Sensitive<string>;
}

describe('redact', () => {
  test('sensitive values are replaced at any depth', () => {
    const bound = planDto(Payment).bind({ card: { number: '4111', holder: 'Ada' }, pin: '1234' });
    const value = bound.ok ? bound.value : undefined;
    const shown = redact({ list: [value], map: new Map([['k', value]]), pin: new Sensitive('1234') });
    const payment = { card: { number: '[sensitive]', holder: 'Ada' }, pin: '[sensitive]' };
    expect(shown).toEqual({ list: [payment], map: { k: payment }, pin: '[sensitive]' });
    expect(JSON.stringify(value) + inspect(value, { depth: 9 })).not.toMatch(/4111|1234/);
  });

  test('an instance that was never bound is redacted too', () => {
    expect(redact(Object.assign(new Card(), { number: '4111', holder: 'Ada' }))).toEqual({
      number: '[sensitive]',
      holder: 'Ada',
    });
  });

  test('messages of errors are left out, cycles and deep values are cut', () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(redact({ error: new TypeError('4111'), cycle })).toEqual({
      error: { name: 'TypeError' },
      cycle: { self: '[cut]' },
    });
    let deep: unknown = 'end';
    for (let level = 0; level < 100; level++) deep = { deep };
    expect(JSON.stringify(redact(deep))).toContain('[cut]');
    expect((redact(Array(2_000).fill(1)) as unknown[]).length).toBe(1_000);
  });

  test("a class's own toJSON is kept, and hidden from", () => {
    class Own {
      @Sensitive() @IsString() pin!: string;
      @IsString() name!: string;
      toJSON(): object {
        return { pin: this.pin, name: this.name.toUpperCase() };
      }
    }
    const bound = planDto(Own).bind({ pin: '1234', name: 'ada' });
    expect(JSON.stringify(bound.ok && bound.value)).toBe('{"pin":"[sensitive]","name":"ADA"}');
  });
});

describe('Sensitive', () => {
  test('the value is read by reveal() alone', () => {
    const pin = new Sensitive('1234');
    expect(pin.reveal()).toBe('1234');
    expect(pin).toBeInstanceOf(Sensitive);
    expect(
      [`${pin}`, JSON.stringify(pin), inspect(pin), inspect({ pin }), JSON.stringify({ pin })].join(),
    ).not.toContain('1234');
    expect(Object.keys(pin)).toEqual([]);
  });
});
