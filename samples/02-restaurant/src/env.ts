import { IsInt, Matches, Max, Min } from 'class-validator';

/** The environment of the restaurant: every variable has a default, so it starts as it is. */
export class Env {
  @IsInt()
  @Min(1)
  @Max(200)
  TABLES_PER_EVENING: number = 3;

  /** Where a person answers. */
  @Matches(/^\+[1-9]\d{7,14}$/)
  FRONT_DESK: string = '+390698765432';
}
