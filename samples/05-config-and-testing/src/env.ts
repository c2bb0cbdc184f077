import { IsBoolean, IsEnum, IsInt, IsString, Max, Min, MinLength } from 'class-validator';

export enum Currency {
  Euro = 'EUR',
  Dollar = 'USD',
}

/** The environment. Texts become what the properties say; a variable that is not set gets the default, if there is one. */
export class Env {
  @IsInt()
  @Min(1)
  @Max(100)
  MAX_PIZZAS: number = 10;

  @IsEnum(Currency)
  CURRENCY!: Currency;

  @IsBoolean()
  TAKES_ORDERS: boolean = true;

  /** A secret: it is never shown, also not when it is wrong. */
  @IsString()
  @MinLength(8)
  KITCHEN_KEY!: string;
}
