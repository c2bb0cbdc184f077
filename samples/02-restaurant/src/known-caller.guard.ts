import { type CanActivate, type ExecutionContext, Injectable, ToolError } from 'callwright';

/** Lets a tool run only in calls whose number is shown. */
@Injectable()
export class KnownCaller implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.call.caller?.from !== undefined) return true;
    throw new ToolError('we book only for callers whose number is shown, so that we can call back');
  }
}
