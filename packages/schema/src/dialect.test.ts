import Ajv from 'ajv';
import { IsDate, IsInt, IsObject, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { ArrayOf, Nested, planDto } from './index';

class Node {
  @IsString() @MaxLength(9) name!: string;
  @IsOptional() @ArrayOf(() => Node) children?: Node[];
}
class Booking {
  @IsInt() @Min(1) size: number = 2;
  @IsOptional() @IsDate() at?: Date;
  @IsOptional() @Nested(() => Node) tree?: Node;
  @Nested(() => Node) other!: Node;
}

describe('dialects', () => {
  test('draft-07 has definitions, and nothing beside $ref', () => {
    const { jsonSchema } = planDto(Booking, { dialect: 'draft-07' });
    expect(Object.keys(jsonSchema)).toContain('definitions');
    expect(JSON.stringify(jsonSchema)).not.toContain('$defs');
    expect(jsonSchema.properties).toMatchObject({ other: { $ref: '#/definitions/Node' } });
    const validate = new Ajv({ strict: true, validateFormats: false }).compile({ ...jsonSchema });
    expect(validate({ other: { name: 'a', children: [{ name: 'b' }] } })).toBe(true);
    expect(validate({ other: { name: 1 } })).toBe(false);
  });

  test('strict has all properties required, null for a missing one, and only known keywords', () => {
    const plan = planDto(Booking, { dialect: 'strict' });
    expect(plan.problems).toEqual([]);
    expect(plan.jsonSchema).toMatchObject({
      properties: {
        size: { type: ['integer', 'null'], minimum: 1 },
        at: { type: ['string', 'null'], format: 'date-time' },
        tree: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] },
      },
      required: ['size', 'at', 'tree', 'other'],
      additionalProperties: false,
      $defs: { Node: { required: ['name', 'children'] } },
    });
    expect(JSON.stringify(plan.jsonSchema)).not.toMatch(/maxLength|"default"/);
    const bound = plan.bind({ size: null, at: null, tree: null, other: { name: 'a', children: null } });
    expect(bound).toMatchObject({ ok: true, value: { size: 2, other: { name: 'a' } } });
    expect(plan.bind({ size: 1, other: { name: 'longer than nine' } }).ok).toBe(false);
  });

  test('what strict cannot say is a problem', () => {
    class Open {
      @IsObject() anything!: object;
    }
    expect(planDto(Open, { dialect: 'strict' }).problems.map(({ code }) => code)).toEqual([
      'CW_SCHEMA_STRICT',
    ]);
  });

  test('inline: false gives each class a definition', () => {
    class Guest {
      @IsString() name!: string;
    }
    class Party {
      @Nested(() => Guest) host!: Guest;
      @IsOptional() @Nested(() => Guest) guest?: Guest;
    }
    expect(planDto(Party, { inline: false }).jsonSchema).toMatchObject({
      properties: {
        host: { $ref: '#/$defs/Guest' },
        guest: { anyOf: [{ $ref: '#/$defs/Guest' }, { type: 'null' }] },
      },
      $defs: { Guest: { properties: { name: { type: 'string' } } } },
    });
    expect(planDto(Party).jsonSchema).not.toHaveProperty('$defs');
  });
});
