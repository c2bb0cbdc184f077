/** The agent of the bench with 64 tools, each with arguments of its own: what tools cost when a process starts. */
import 'callwright';
import { ArrayOf, Call, Module, Nested, Tool, VoiceAgent } from 'callwright';
import {
  ArrayMaxSize,
  IsArray,
  IsDefined,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { SYSTEM_PROMPT } from '../agents/booking';
import { Seating } from './booking.dto';
import { serve } from './serve';

const TOOLS = 64;

@VoiceAgent({ name: 'bench', default: true, systemPrompt: SYSTEM_PROMPT })
class ManyToolsAgent {
  constructor(readonly call: Call) {}
}

/** Classes of their own, as each tool of a real agent has them. */
function makeArguments(): new () => object {
  class Guest {
    @IsString() @MinLength(1) @MaxLength(80) name!: string;
    @IsOptional() @Matches(/^\+[1-9]\d{7,14}$/) phone?: string;
  }

  class Dish {
    @IsString() @MaxLength(60) name!: string;
    @IsInt() @Min(1) @Max(20) count!: number;
  }

  class BookTable {
    @Matches(/^\d{4}-\d{2}-\d{2}$/) date!: string;
    @Matches(/^\d{2}:\d{2}$/) time!: string;
    @IsInt() @Min(1) @Max(12) partySize!: number;
    @IsEnum(Seating) seating!: Seating;
    @IsDefined() @Nested(() => Guest) guest!: Guest;
    @IsArray() @ArrayMaxSize(20) @ArrayOf(() => Dish) dishes!: Dish[];
  }

  return BookTable;
}

/** What the compiler makes of a decorated method. */
function addTool(index: number): void {
  const key = `bookTable${index}`;
  const descriptor = { value: (booking: object): number => Object.keys(booking).length, configurable: true };
  Object.defineProperty(ManyToolsAgent.prototype, key, descriptor);
  Reflect.defineMetadata('design:paramtypes', [makeArguments()], ManyToolsAgent.prototype, key);
  Tool({ description: 'Books a table.', kind: 'side_effect' })(ManyToolsAgent.prototype, key, descriptor);
}

for (let index = 0; index < TOOLS; index++) addTool(index);

@Module({ agents: [ManyToolsAgent] })
class AppModule {}

void serve(AppModule);
