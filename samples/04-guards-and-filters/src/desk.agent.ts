import {
  Arg,
  CacheInterceptor,
  ParseE164Pipe,
  Tool,
  ToolError,
  TrimPipe,
  UseGuards,
  UseInterceptors,
  UsePipes,
  VoiceAgent,
} from 'callwright';
import { Ledger } from './ledger';
import { Identity, NeedsPin, TheCaller, Verified } from './verified';

const PIN_ATTEMPTS = 3;

@VoiceAgent({ name: 'desk', systemPrompt: 'You are the desk of a small bank.', greeting: 'The bank, hello.' })
export class DeskAgent {
  constructor(
    private readonly ledger: Ledger,
    private readonly identity: Identity,
  ) {}

  @Tool({ description: 'Checks the PIN that the caller says.', kind: 'side_effect', repeatable: true })
  @UseGuards(Verified)
  @UsePipes(TrimPipe)
  checkPin(@Arg('pin', { maxLength: 8 }) pin: string): string {
    this.identity.attempts += 1;
    if (this.identity.attempts > PIN_ATTEMPTS) throw new ToolError('too many attempts in this call');
    this.identity.isVerified = pin === '2468';
    return this.identity.isVerified ? 'the PIN is right' : 'the PIN is wrong';
  }

  @Tool('The balance of the caller.')
  @NeedsPin()
  @UseInterceptors(new CacheInterceptor({ ttlMs: 5_000 }))
  balance(@TheCaller() caller: string): string {
    return `${this.ledger.balanceOf(caller)} euros`;
  }

  @Tool({ description: 'Sends money.', kind: 'side_effect', confirm: true })
  @NeedsPin()
  send(
    @TheCaller() caller: string,
    @Arg('to', { description: 'Telephone number' }, new ParseE164Pipe({ countryCode: '+39' })) to: string,
    @Arg('amount', { type: 'integer', min: 1, max: 500 }) amount: number,
  ): string {
    this.ledger.send(caller, to, amount);
    return 'sent';
  }
}
