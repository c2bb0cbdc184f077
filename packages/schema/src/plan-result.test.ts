import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsInt, IsString } from 'class-validator';
import { ArrayOf, planResult, Sensitive } from './index';

class Table {
  @IsInt() number!: number;
  @Exclude() note = 'near the kitchen';
}

class Reservation {
  @IsString() id!: string;
  @Expose({ name: 'party_size' }) @IsInt() partySize!: number;
  @Exclude() internal = 'margin 30 %';
  @Sensitive() @IsString() card!: string;
  @ArrayOf(() => Table) tables!: Table[];
  @Type(() => Date) at!: Date;
  @Transform(({ value }) => `${value} EUR`, { toPlainOnly: true }) @IsInt() price!: number;
  @Expose() get label(): string {
    return `table for ${this.partySize}`;
  }
}

const plan = planResult(Reservation);
const fields = {
  id: 'r-1',
  partySize: 4,
  card: '4111111111111111',
  at: new Date('2026-03-01T18:30:00Z'),
  price: 12,
  tables: [Object.assign(new Table(), { number: 7 })],
};
const expected = {
  id: 'r-1',
  party_size: 4,
  card: '[sensitive]',
  at: '2026-03-01T18:30:00.000Z',
  price: '12 EUR',
  tables: [{ number: 7 }],
};

describe('planResult', () => {
  test('an instance leaves through its class: excluded and sensitive fields do not', () => {
    expect(plan.serialize(Object.assign(new Reservation(), fields))).toEqual({
      ...expected,
      label: 'table for 4',
    });
  });

  test('a plain object of the form does too', () => {
    const plain = { ...fields, internal: 'margin', tables: [{ number: 7, note: 'secret' }] };
    expect(plan.serialize(plain)).toEqual(expected);
    expect(plan.serialize([plain])).toEqual([expected]);
    expect(plan.serialize(undefined)).toBeUndefined();
  });

  test('the schema shows what leaves', () => {
    expect(plan.problems).toEqual([]);
    const properties = plan.jsonSchema.properties as object;
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(['id', 'party_size', 'tables', 'at', 'price']),
    );
    expect(properties).not.toHaveProperty('internal');
  });

  test('maps, sets, bigints and sensitive values have a JSON form; a cycle is an error', () => {
    const value = { map: new Map([['a', 1]]), set: new Set([1]), big: 5n, pin: new Sensitive('1234') };
    expect(plan.serialize({ id: value })).toEqual({
      id: { map: { a: 1 }, set: [1], big: '5', pin: '[sensitive]' },
    });
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(() => plan.serialize({ id: cycle })).toThrow(RangeError);
  });

  test('a key __proto__ stays a key', () => {
    const serialized = plan.serialize({ id: JSON.parse('{"__proto__":{"x":1}}') }) as { id: object };
    expect(Object.keys(serialized.id)).toEqual(['__proto__']);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});
