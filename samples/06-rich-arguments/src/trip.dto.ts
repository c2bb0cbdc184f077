import { ArrayOf, Describe, InTimeZone, Sensitive } from 'callwright';
import { Exclude, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsBoolean,
  IsDate,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsISO31661Alpha2,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';

export enum Cabin {
  Economy = 'economy',
  Business = 'business',
}

/** Numeric: the model is told the values 1, 2 and 3, not the names. */
export enum Priority {
  Low = 1,
  Normal = 2,
  High = 3,
}

export class Passenger {
  @IsString()
  @MaxLength(80)
  name!: string;

  @IsISO31661Alpha2()
  nationality!: string;

  /** Stands in no log, no error text, no `util.inspect`, no `JSON.stringify`. */
  @Sensitive()
  @Matches(/^[A-Z0-9]{6,9}$/)
  passport!: string;
}

/** Told apart from the other way to pay by its `kind`. */
export abstract class Payment {
  abstract readonly kind: string;
}

export class CardPayment extends Payment {
  @IsIn(['card'])
  readonly kind = 'card';

  @Matches(/^\d{4}$/)
  lastDigits!: string;
}

export class InvoicePayment extends Payment {
  @IsIn(['invoice'])
  readonly kind = 'invoice';

  @IsEmail()
  mail!: string;
}

export class BookTrip {
  @Describe('When the trip starts; local time in Rome if it has no offset')
  @InTimeZone('Europe/Rome')
  @IsDate()
  departure!: Date;

  @ArrayOf(() => Passenger)
  @ArrayMinSize(1)
  @ArrayMaxSize(9)
  passengers!: Passenger[];

  @IsEnum(Cabin)
  cabin: Cabin = Cabin.Economy;

  @IsEnum(Priority)
  priority: Priority = Priority.Normal;

  @IsOptional()
  @ArrayUnique()
  @IsIn(['wheelchair', 'infant', 'pet'], { each: true })
  extras?: string[];

  @IsInt()
  @Min(0)
  @Max(3)
  bags: number = 1;

  @IsBoolean()
  insurance: boolean = false;

  @ValidateNested()
  @Type(() => Payment, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'card', value: CardPayment },
        { name: 'invoice', value: InvoicePayment },
      ],
    },
    keepDiscriminatorProperty: true,
  })
  payment!: CardPayment | InvoicePayment;
}

/** What the model is told of a trip. */
export class Trip {
  @IsString()
  reference!: string;

  @IsInt()
  passengers!: number;

  @IsString()
  paidBy!: string;

  @IsDate()
  departure!: Date;

  /** Never leaves: the result goes through this class. */
  @Exclude()
  internalNote?: string;

  constructor(fields: Partial<Trip> = {}) {
    Object.assign(this, fields);
  }
}
