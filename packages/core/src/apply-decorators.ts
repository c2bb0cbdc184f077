import type { AnyMethod } from './class-types';
import type { EnhancerDecorator } from './enhancers';

/** Any decorator of a class or of a method. */
export type ComposableDecorator =
  | ClassDecorator
  | MethodDecorator
  | ((
      target: object & { readonly prototype?: never },
      key: PropertyKey,
      descriptor: TypedPropertyDescriptor<AnyMethod>,
    ) => void);

/**
 * One decorator out of several, applied as if they were written one below the other.
 *
 * @example
 * ```ts
 * import { applyDecorators, type CanActivate, type EnhancerDecorator, Reflector, UseGuards } from 'callwright';
 *
 * const Role = Reflector.createDecorator<string>();
 * class RoleGuard implements CanActivate {
 *   canActivate(): boolean {
 *     return true;
 *   }
 * }
 *
 * export function StaffOnly(): EnhancerDecorator {
 *   return applyDecorators(Role('staff'), UseGuards(RoleGuard));
 * }
 * ```
 */
export function applyDecorators(...decorators: readonly ComposableDecorator[]): EnhancerDecorator {
  return (target: object, key?: PropertyKey, descriptor?: PropertyDescriptor) => {
    for (const decorator of [...decorators].reverse()) {
      // A decorator is given what this one was given; whether it belongs there is its own check.
      (decorator as (target: object, key?: PropertyKey, descriptor?: PropertyDescriptor) => void)(
        target,
        key,
        descriptor,
      );
    }
  };
}
