import 'reflect-metadata';

/**
 * What each compiler really emits, so that a change of one shows here first and not in the schema of somebody's tool.
 * The compiler is known by the folder that the compiled test lies in; in the sources it is swc.
 */
import { Rank, Size, type Weekday } from './imported';

const compiler = /[\\/]\.cache[\\/]tsc-metadata[\\/](\w+)[\\/]/.exec(__filename)?.[1] ?? 'swc';

enum Local {
  One = 'one',
}

class Friend {}

function Recorded(_target: object, _property: string): void {
  // A decorator makes the compiler emit; nothing else is needed.
}

class Sample {
  @Recorded when!: Date;
  @Recorded count: number = 2;
  @Recorded phone?: string;
  @Recorded friend!: Friend;
  @Recorded names!: string[];
  @Recorded local!: Local;
  @Recorded imported!: Size;
  @Recorded rank!: Rank;
  @Recorded alias!: Weekday;
  @Recorded fixed!: readonly string[];
  @Recorded bare = 2;
  @Recorded maybe?: Date | undefined;
}

const emitted = (property: keyof Sample): unknown =>
  Reflect.getMetadata('design:type', Sample.prototype, property);

describe(`design:type by ${compiler}`, () => {
  it('is the class for what every compiler knows', () => {
    expect(emitted('when')).toBe(Date);
    expect(emitted('count')).toBe(Number);
    expect(emitted('phone')).toBe(String);
    expect(emitted('friend')).toBe(Friend);
    expect(emitted('names')).toBe(Array);
    expect(emitted('local')).toBe(String);
  });

  it('is Object for a union, and tells nothing', () => {
    expect(emitted('maybe')).toBe(Object);
  });

  it('differs for an imported enum', () => {
    expect(emitted('imported')).toBe({ swc: Size, tsc: String, transpile: Object }[compiler]);
    expect(emitted('rank')).toBe({ swc: Rank, tsc: Number, transpile: Object }[compiler]);
  });

  it('differs for an imported alias of literals', () => {
    expect(emitted('alias')).toBe({ swc: Object, tsc: String, transpile: Object }[compiler]);
  });

  it('differs for a readonly array', () => {
    expect(emitted('fixed')).toBe({ swc: Object, tsc: Array, transpile: Array }[compiler]);
  });

  it('differs for a property without an annotation', () => {
    expect(emitted('bare')).toBe({ swc: undefined, tsc: Object, transpile: Object }[compiler]);
  });
});
