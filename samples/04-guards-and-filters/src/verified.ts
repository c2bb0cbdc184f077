import {
  applyDecorators,
  Call,
  type CanActivate,
  createParamDecorator,
  type EnhancerDecorator,
  type ExecutionContext,
  Injectable,
  type OfferContext,
  Reflector,
  Scope,
  ToolError,
  UseGuards,
} from 'callwright';

/** What a call has proved of its caller; each call has its own. */
@Injectable({ scope: Scope.CALL })
export class Identity {
  isVerified = false;
  attempts = 0;
}

/** A typed value on a method, read by the guard. */
const Level = Reflector.createDecorator<'number' | 'pin'>('level');

/** CALL-scoped, as it needs the call's identity. A guard that needs nothing of a call is a singleton. */
@Injectable({ scope: Scope.CALL })
export class Verified implements CanActivate {
  constructor(
    private readonly call: Call,
    private readonly identity: Identity,
    private readonly reflector: Reflector,
  ) {}

  /** A caller who hides the number is not even offered these tools. */
  offers(_context: OfferContext): boolean {
    return this.call.caller?.from !== undefined;
  }

  canActivate(context: ExecutionContext): boolean {
    const level = this.reflector.getAllAndOverride(Level, context);
    if (level !== 'pin' || this.identity.isVerified) return true;
    throw new ToolError('the caller must say the PIN first'); // the model reads this
  }
}

/** One decorator for a value and the guard that reads it. */
export function NeedsPin(): EnhancerDecorator {
  return applyDecorators(Level('pin'), UseGuards(Verified));
}

/** The caller's number as a parameter: injected, no part of what the model is asked for. */
export const TheCaller = createParamDecorator(
  (_input: undefined, context) => context.call.caller?.from ?? 'unknown',
);
