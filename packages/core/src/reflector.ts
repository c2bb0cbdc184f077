import type { Class } from './class-types';
import type { EnhancerDecorator } from './enhancers';
import { classChain, ownRecords, recordsToWrite } from './records';

/** Where a value of a decorator may stand: a class, or one of its methods. An `ExecutionContext` is one too. */
export interface MetadataTarget {
  readonly type: Class;
  readonly method?: PropertyKey | undefined;
}

/** A decorator of classes and methods that carries a value of type `T`. Made by {@link Reflector.createDecorator}. */
export interface ReflectableDecorator<T> {
  (value: T): EnhancerDecorator;
  /** Under which the value is kept. */
  readonly key: symbol;
  /** Never set: it carries `T` for the compiler. */
  readonly valueType?: T;
}

/**
 * Reads the values of decorators: what a guard or an interceptor is told about the method it stands around. Typed by the
 * decorator, without names in strings. Injectable everywhere.
 *
 * @example
 * ```ts
 * import { type CanActivate, type ExecutionContext, Injectable, Reflector } from 'callwright';
 *
 * export const Roles = Reflector.createDecorator<readonly string[]>();
 *
 * @Injectable()
 * export class RolesGuard implements CanActivate {
 *   constructor(private readonly reflector: Reflector) {}
 *
 *   canActivate(context: ExecutionContext): boolean {
 *     const roles = this.reflector.getAllAndOverride(Roles, context) ?? [];
 *     return roles.length === 0 || roles.includes('caller');
 *   }
 * }
 * ```
 */
export class Reflector {
  /** Makes a decorator that carries a value. @param name for debugging */
  static createDecorator<T>(name = 'metadata'): ReflectableDecorator<T> {
    const key = Symbol(name);
    const decorator = (value: T): EnhancerDecorator => {
      return (target: object, method?: PropertyKey) => {
        if (method === undefined) recordsToWrite(target).metadata.set(key, value);
        else methodMetadata(target.constructor, method).set(key, value);
      };
    };
    return Object.assign(decorator, { key });
  }

  /**
   * The value at exactly this place: of the method, if the target names one, else of the class. What a base class says counts
   * where the derived class says nothing.
   */
  get<T>(decorator: ReflectableDecorator<T>, target: MetadataTarget): T | undefined {
    const { type, method } = target;
    for (const current of classChain(type)) {
      const records = ownRecords(current);
      const values = method === undefined ? records?.metadata : records?.methodMetadata.get(method);
      // The decorator that wrote the value under this key took a `T`.
      if (values?.has(decorator.key)) return values.get(decorator.key) as T;
    }
    return undefined;
  }

  /** The value of the method, else that of the class. */
  getAllAndOverride<T>(decorator: ReflectableDecorator<T>, target: MetadataTarget): T | undefined {
    return this.get(decorator, target) ?? this.get(decorator, { type: target.type });
  }

  /** The values of the class and of the method together: lists one behind the other, of objects the method's members win. */
  getAllAndMerge<T extends readonly unknown[] | object>(
    decorator: ReflectableDecorator<T>,
    target: MetadataTarget,
  ): T | undefined {
    const ofClass = this.get(decorator, { type: target.type });
    const ofMethod = target.method === undefined ? undefined : this.get(decorator, target);
    if (ofClass === undefined || ofMethod === undefined) return ofMethod ?? ofClass;
    const merged = Array.isArray(ofClass)
      ? [...ofClass, ...(ofMethod as readonly unknown[])]
      : { ...ofClass, ...ofMethod };
    return merged as unknown as T; // both are a `T`: a list of the same items, or an object of the same members
  }
}

function methodMetadata(type: object, method: PropertyKey): Map<symbol, unknown> {
  const records = recordsToWrite(type).methodMetadata;
  const known = records.get(method);
  if (known) return known;
  const made = new Map<symbol, unknown>();
  records.set(method, made);
  return made;
}
