import { InjectionToken } from '@callwright/di';
import type { ExceptionFilter, FilterReference } from './filter';
import type { CanActivate, GuardReference } from './guard';
import type { Interceptor, InterceptorReference } from './interceptor';
import type { Pipe, PipeReference } from './pipe';
import { type EnhancerKind, methodEnhancersToWrite, recordsToWrite } from './records';

/** Provide guards with it, in any module, and they stand before every tool and every event handler of the application. */
export const APP_GUARD = new InjectionToken<CanActivate[]>('APP_GUARD', { multi: true });
/** Provide interceptors with it, in any module, and they stand around every tool, handler, hook and timer. */
export const APP_INTERCEPTOR = new InjectionToken<Interceptor[]>('APP_INTERCEPTOR', { multi: true });
/** Provide pipes with it, in any module, and they work on the arguments of every tool. */
export const APP_PIPE = new InjectionToken<Pipe[]>('APP_PIPE', { multi: true });
/** Provide filters with it, in any module, and they answer what no filter of a method or a class did. */
export const APP_FILTER = new InjectionToken<ExceptionFilter[]>('APP_FILTER', { multi: true });

/** The token of each kind. */
export const APP_TOKENS: Readonly<Record<EnhancerKind, InjectionToken<unknown[]>>> = {
  guards: APP_GUARD,
  interceptors: APP_INTERCEPTOR,
  pipes: APP_PIPE,
  filters: APP_FILTER,
};

/** A decorator of classes and of instance methods. */
export type EnhancerDecorator = ClassDecorator & MethodDecorator;

/** Binds guards to a tool, an event handler, or all of those of a class. See {@link CanActivate}. */
export function UseGuards(...guards: readonly GuardReference[]): EnhancerDecorator {
  return bind('guards', guards);
}

/** Binds interceptors to a tool, a handler, a hook, a timer, or all of those of a class. See {@link Interceptor}. */
export function UseInterceptors(...interceptors: readonly InterceptorReference[]): EnhancerDecorator {
  return bind('interceptors', interceptors);
}

/** Binds pipes to the arguments of a tool, or of all tools of a class. See {@link Pipe}. */
export function UsePipes(...pipes: readonly PipeReference[]): EnhancerDecorator {
  return bind('pipes', pipes);
}

/** Binds filters to a tool, a handler, a hook, a timer, or all of those of a class. See {@link ExceptionFilter}. */
export function UseFilters(...filters: readonly FilterReference[]): EnhancerDecorator {
  return bind('filters', filters);
}

function bind(kind: EnhancerKind, references: readonly unknown[]): EnhancerDecorator {
  return (target: object, key?: PropertyKey) => {
    const records =
      key === undefined
        ? recordsToWrite(target).enhancers
        : methodEnhancersToWrite(typeof target === 'function' ? target : target.constructor, key);
    // Decorators run from the last to the first: what stands higher in the source comes first.
    records[kind].unshift(...references);
  };
}
