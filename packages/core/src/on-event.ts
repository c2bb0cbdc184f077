import type { CallEvent, EventClass, EventFamily, EventOf, EventsOfFamily, EventType } from './events';
import { hasReflectMetadata, recordsToWrite } from './records';

/** What {@link OnEvent} takes: an event class, a wire name, or a family such as `turn.*`. */
export type EventSelector = EventClass | EventType | EventFamily;

/** The events that a selector means. */
export type SelectedEvent<S extends EventSelector> =
  S extends EventClass<infer E>
    ? E
    : S extends EventType
      ? EventOf<S>
      : S extends EventFamily
        ? EventsOfFamily<S>
        : never;

/** A handler: the event first, then whatever is injected. */
// biome-ignore lint/suspicious/noExplicitAny: the injected parameters are contravariant, `unknown` would refuse every one
export type EventHandler<E> = (event: E, ...injected: any[]) => void | Promise<void>;

/**
 * Calls the method for each such event of the call: in order, one handler at a time. A slow handler delays later
 * events, never tools or command results. Works on agents and on CALL-scoped providers.
 *
 * @example
 * ```ts
 * import { OnEvent, UserText, VoiceAgent } from 'callwright';
 *
 * @VoiceAgent({ name: 'listener' })
 * class ListenerAgent {
 *   #turns = 0;
 *
 *   @OnEvent(UserText)
 *   heard(event: UserText): void {
 *     this.#turns += event.text.length > 0 ? 1 : 0;
 *   }
 * }
 * ```
 */
export function OnEvent<S extends EventSelector>(
  selector: S,
): <T extends EventHandler<SelectedEvent<S>>>(
  target: object & { readonly prototype?: never },
  key: PropertyKey,
  descriptor: TypedPropertyDescriptor<T>,
) => void {
  return (target, key) => {
    const handlers = recordsToWrite(target.constructor).handlers;
    const record = { key, selector: selectorName(selector), hadReflectMetadata: hasReflectMetadata() };
    handlers.set(key, [...(handlers.get(key) ?? []), record]);
  };
}

/** The wire name or family of a selector; a class that is no event gives its own name, which the boot then refuses. */
export function selectorName(selector: EventSelector | EventClass<CallEvent>): string {
  if (typeof selector === 'string') return selector;
  return typeof selector?.type === 'string' ? selector.type : String((selector as { name?: unknown })?.name);
}
