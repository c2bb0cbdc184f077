import type { AnyMethod, Class } from './class-types';
import { hasReflectMetadata, recordsToWrite } from './records';
import type { ToolContext } from './tool-context';

/** What tools of both kinds may say. */
export interface CommonToolOptions {
  /** What the tool does, for the model; not blank, at most 4,096 bytes of UTF-8. */
  readonly description: string;
  /** The tool's name for the model, 1 to 64 of `A-Z a-z 0-9 _ -`. @default the method's name */
  readonly name?: string | undefined;
  /** How long the voice server waits for the result, 1 to 30,000 ms. @default 5000, the server's own */
  readonly timeoutMs?: number | undefined;
  /** When the server may bridge the wait with a filler sentence; 0: never. @default 700, the server's own */
  readonly fillerAfterMs?: number | undefined;
  /** Validation groups of the arguments' class (class-validator). @default no group */
  readonly groups?: readonly string[] | undefined;
  /** The result's class: what leaves is serialised through it, so excluded fields never do. */
  readonly result?: Class | undefined;
}

/** A tool that only looks something up. It may be cancelled at any time and asked again freely. */
export interface ReadOnlyToolOptions extends CommonToolOptions {
  readonly kind: 'read_only';
}

/** A tool that changes the world: at most once per request, never cut off half way by a barge-in. */
export interface SideEffectToolOptions extends CommonToolOptions {
  readonly kind: 'side_effect';
  /** The caller is asked before the tool runs. @default false */
  readonly confirm?: boolean | undefined;
  /** An identical call in the same turn is a new request, not a repetition. @default false */
  readonly repeatable?: boolean | undefined;
  /**
   * Called when a request whose outcome is unknown is made again: it began, and was stopped before it ended. Look it up in
   * the outside system by `context.idempotencyKey` or the arguments; the value is the request's result, `undefined` leaves it unknown.
   */
  readonly reconcile?:
    | ((args: Readonly<Record<string, unknown>>, context: ToolContext) => unknown)
    | undefined;
}

/** Options of {@link Tool}: `confirm` and `repeatable` exist for side effects only. */
export type ToolOptions = ReadOnlyToolOptions | SideEffectToolOptions;

/** A decorator of instance methods. */
export type ToolDecorator = <T extends AnyMethod>(
  target: object & { readonly prototype?: never },
  key: PropertyKey,
  descriptor: TypedPropertyDescriptor<T>,
) => void;

/**
 * Offers the method to the model. Parameters are one DTO (the whole arguments object), or scalars with `@Arg`;
 * `Call` and `ToolContext` are injected by their type. What the method returns, or its promise's value, is the
 * result; a thrown `ToolError` reaches the model verbatim.
 *
 * A plain text makes a read-only tool.
 *
 * @example
 * ```ts
 * import { Arg, Tool, ToolError, VoiceAgent } from 'callwright';
 *
 * @VoiceAgent({ name: 'desk' })
 * class DeskAgent {
 *   @Tool('Opening hours on a weekday.')
 *   openingHours(@Arg('day') day: string): string {
 *     return `On ${day} from nine to five.`;
 *   }
 *
 *   @Tool({ description: 'Cancels an appointment.', kind: 'side_effect', confirm: true })
 *   cancel(@Arg('number') number: number): string {
 *     throw new ToolError(`there is no appointment ${number}`);
 *   }
 * }
 * ```
 */
export function Tool(options: string | ToolOptions): ToolDecorator {
  return (target, key) => {
    recordsToWrite(target.constructor).tools.set(key, {
      key,
      options: typeof options === 'string' ? { kind: 'read_only', description: options } : options,
      hadReflectMetadata: hasReflectMetadata(),
    });
  };
}
