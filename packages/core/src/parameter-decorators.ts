import { recordParameter } from './arg';
import type { Call } from './call';
import type { ExecutionContext } from './execution-context';
import type { ParameterCheck } from './parameter-check';
import type { PipeReference } from './pipe';
import type { ToolContext } from './tool-context';

/** A parameter decorator made by {@link createParamDecorator}: takes its input and, behind it, pipes. */
export type CustomParameterDecorator<In, Out> = (
  ...input: undefined extends In
    ? [input?: In, ...pipes: PipeReference[]]
    : [input: In, ...pipes: PipeReference[]]
) => ParameterCheck<Out>;

/**
 * Makes a decorator for parameters of tools and event handlers: `resolve` gives the value, or a promise of it. It is
 * injected, so it is no part of the tool's schema. Does not compile on a parameter that cannot take the value.
 *
 * @example
 * ```ts
 * import { createParamDecorator, Tool, VoiceAgent } from 'callwright';
 *
 * const CallerNumber = createParamDecorator((_input: undefined, context) => context.call.caller?.from);
 *
 * @VoiceAgent({ name: 'echo' })
 * class EchoAgent {
 *   @Tool('The number that the caller calls from.')
 *   number(@CallerNumber() from: string | undefined): string {
 *     return from ?? 'it is not shown';
 *   }
 * }
 * ```
 */
export function createParamDecorator<In = undefined, Out = unknown>(
  resolve: (input: In, context: ExecutionContext) => Out,
): CustomParameterDecorator<In, Awaited<Out>> {
  return ((input?: In, ...pipes: PipeReference[]) =>
    recordParameter({
      source: 'custom',
      // What reaches it is the input recorded beside it.
      resolve: resolve as (input: unknown, context: ExecutionContext) => unknown,
      input,
      pipes,
    })) as CustomParameterDecorator<In, Awaited<Out>>;
}

/** Injects the `Call` where the compiler emits no parameter types; with them, the parameter's type is enough. */
export function CurrentCall(): ParameterCheck<Call> {
  return recordParameter({ source: 'call' }) as ParameterCheck<Call>;
}

/** Injects the `ToolContext` where the compiler emits no parameter types; with them, the parameter's type is enough. */
export function CurrentTool(): ParameterCheck<ToolContext> {
  return recordParameter({ source: 'context' }) as ParameterCheck<ToolContext>;
}
