import { ArrayOf, Describe, Nested, Schema, Sensitive } from '@callwright/schema';
import {
  IsBoolean,
  IsDate,
  IsEnum,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Max,
  Min,
} from 'class-validator';
import type { CorpusEntry } from './corpus';
import { Guest, Level, Seating, Tree } from './corpus-types';

/** As the corpus, but every type is given by a validator or by hand: a build without emitted metadata must do. */
class BookTable {
  @Describe('Date and time of the visit') @IsDate() time!: Date;
  @IsInt() @Min(1) @Max(12) partySize: number = 2;
  @IsOptional() @IsEnum(Seating) seating?: Seating;
  @Nested(() => Guest) guest!: Guest;
}

class Explicit {
  @IsNotEmpty() @Schema({ type: 'string' }) text!: string;
  @IsBoolean() flag!: boolean;
  @Schema({ type: 'integer' }) @Min(1) whole!: number;
  @Schema({ type: Date }) when!: Date;
  @Schema({ type: Guest }) guest!: Guest;
  @IsEnum(Level) level!: Level;
  @ArrayOf(String) words!: string[];
  @ArrayOf(() => Guest) guests!: Guest[];
  @Schema({ type: Set }) @IsString({ each: true }) set!: Set<string>;
  @Schema({ type: Map }) @IsInt({ each: true }) map!: Map<string, number>;
  @Sensitive() @IsString() pin!: string;
  @Nested(() => Tree) tree!: Tree;
}

const guest = { name: 'Ada' };

export const explicitCorpus: readonly CorpusEntry[] = [
  { name: 'book_table', type: BookTable, valid: { time: '2026-03-01T19:30:00Z', guest } },
  {
    name: 'explicit',
    type: Explicit,
    valid: {
      text: 'a',
      flag: true,
      whole: 1,
      when: '2026-03-01T19:30:00Z',
      guest,
      level: 0,
      words: ['a'],
      guests: [guest],
      set: ['a'],
      map: { a: 1 },
      pin: '1',
      tree: { value: 1 },
    },
  },
];
