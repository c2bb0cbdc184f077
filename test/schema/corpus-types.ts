import { ArrayOf } from '@callwright/schema';
import { IsInt, IsOptional, IsString, MaxLength } from 'class-validator';

/** Types that the corpus imports: compilers differ most on what comes from another file. */
export enum Seating {
  Indoor = 'indoor',
  Terrace = 'terrace',
}

export enum Level {
  Low,
  High = 5,
}

export enum Mixed {
  Text = 'text',
  One = 1,
}

export type Weekday = 'mon' | 'tue';

export const weekdays = ['mon', 'tue'] as const;

export interface Money {
  readonly amount: number;
}

export class Guest {
  @IsString() @MaxLength(80) name!: string;
  @IsOptional() @IsInt() age?: number;
}

export class Tree {
  @IsInt() value!: number;
  @IsOptional() @ArrayOf(() => Tree) children?: Tree[];
}
