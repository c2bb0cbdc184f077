import type { Problem } from './problem';

/** A place in the program, as messages show it: `LuigiAgent, parameter 1 of the constructor`. */
type Place = string;

/**
 * Every code of this package with the text it gives: what is wrong, where, why, and how to mend it, in at most
 * six lines. Each code has its section in `docs/reference/errors.md`.
 */
export const diErrors = {
  CW_DI_PROVIDER_MISSING: (at: { token: string; place: Place; module: string; hints: readonly string[] }) =>
    lines(
      `${at.place}: nobody provides ${at.token}.`,
      `Where: ${at.module} sees no provider of it: not its own, no import's export, no global one.`,
      ...at.hints,
      `Mend: add ${at.token} to the providers of ${at.module}, import a module that exports it, or use @Optional().`,
    ),
  CW_DI_PROVIDER_NOT_EXPORTED: (at: {
    token: string;
    place: Place;
    module: string;
    owner: string;
    imported: boolean;
  }) =>
    lines(
      `${at.place}: ${at.token} is provided in ${at.owner}, but ${at.module} cannot see it.`,
      at.imported
        ? `Why: ${at.module} imports ${at.owner}, which does not export ${at.token}.`
        : `Why: no import of ${at.module} leads to an export of it.`,
      at.imported
        ? `Mend: add ${at.token} to the exports of ${at.owner}.`
        : `Mend: export ${at.token} from ${at.owner}, and import ${at.owner} in ${at.module}.`,
    ),
  CW_DI_CYCLE: (at: { path: readonly string[] }) =>
    lines(
      'Providers need each other in a circle, so none of them can be made first:',
      `  ${shorten(at.path).join(' -> ')}`,
      'Mend: move what they share into a third class, or on one edge inject a reference that is read later:',
      '  @Inject(lazy(() => Other)) private readonly other: Lazy<Other>',
    ),
  CW_DI_CAPTIVE_SCOPE: (at: { path: readonly string[]; singleton: string; captive: string }) =>
    lines(
      `${at.singleton} lives as long as the application and needs ${at.captive}, which lives for one call:`,
      `  ${shorten(at.path).join(' -> ')}`,
      'Why: the first call would be kept for good, and every later call would get it.',
      `Mend: give ${at.singleton} the scope CALL, with @Injectable({ scope: Scope.CALL }) or \`scope\` of its provider,`,
      '  or inject CallScopes and read the instance of one live call: callScopes.get(callId)?.get(token).',
    ),
  CW_DI_METADATA_NOT_EMITTED: (at: { type: string; module: string; parameters: string }) =>
    lines(
      `${at.type} (${at.module}): the compiler emitted no types for the constructor (${at.parameters}).`,
      'Why: tsx and esbuild never emit them; tsc and swc do so only when they are told to.',
      'Mend: set "experimentalDecorators" and "emitDecoratorMetadata" (tsc), or "decoratorMetadata" (swc), and run',
      '  with one of the two; or put @Inject(token) on every parameter, which works with every compiler.',
    ),
  CW_DI_METADATA_LATE: (at: { type: string; module: string; parameters: string }) =>
    lines(
      `${at.type} (${at.module}): the types of the constructor are lost (${at.parameters}).`,
      'Why: the file was loaded before the library that keeps them (reflect-metadata).',
      "Mend: make import 'callwright' (or import 'reflect-metadata') the first line of the first file, or put",
      '  @Inject(token) on every parameter.',
    ),
  CW_DI_NOT_DECORATED: (at: { type: string; module: string; parameters: string }) =>
    lines(
      `${at.type} (${at.module}) is to be made by the container and has no decorator (${at.parameters}).`,
      'Why: compilers emit the types of the parameters only for decorated classes.',
      `Mend: put @Injectable() on ${at.type}, or provide it with useFactory.`,
    ),
  CW_DI_ANNOTATION_MISSING: (at: { place: Place }) =>
    lines(
      `${at.place} has a default value and no type that can be injected.`,
      'Why: without an annotation the compiler emits Object; a linter may have removed the annotation as redundant.',
      'Mend: write the class as the type (and switch off that rule for constructors), use @Inject(token), or take',
      '  the parameter out of the constructor.',
    ),
  CW_DI_TYPE_OPAQUE: (at: { place: Place; emitted: string }) =>
    lines(
      `${at.place}: its type says nothing (the compiler emitted ${at.emitted}).`,
      'Why: it is an interface, a union or an alias; or a class brought in by `import type`; or a class of a file in',
      '  an import cycle, if each file is compiled alone (swc, ts-jest with isolatedModules).',
      'Mend: a class needs a value import: import { X }. An interface needs @Inject(token), and there `import type`',
      '  is right. For a cycle use @Inject(lazy(() => X)) x: Lazy<X>.',
    ),
  CW_DI_TYPE_BUILTIN: (at: { place: Place; emitted: string }) =>
    lines(
      `${at.place}: its type is ${at.emitted}, and nobody provides that.`,
      'Why: plain values and enums have no class of their own that could be the token.',
      "Mend: make a token, const NAME = new InjectionToken<...>('NAME'), provide it, and use @Inject(NAME).",
    ),
  CW_DI_TYPE_UNDEFINED: (at: { place: Place }) =>
    lines(
      `${at.place}: what is to be injected was undefined when the class was defined.`,
      'Why: most likely its file and this one import each other, directly or over others; or there is no annotation.',
      'Mend: move what both need into a third file, or use @Inject(lazy(() => Other)) other: Lazy<Other>.',
    ),
  CW_DI_INJECT_MISPLACED: (at: { type: string; place: Place }) =>
    lines(
      `${at.type}, ${at.place}: @Inject and @Optional have no effect here.`,
      'Why: the container fills parameters of constructors and properties of instances.',
      'Mend: move the decorator to a parameter of the constructor or to a property.',
    ),
  CW_DI_NOT_A_MODULE: (at: { found: string; place: Place }) =>
    lines(
      `${at.place}: ${at.found} is not a module.`,
      'Why: it has no @Module() decorator.',
      'Mend: put @Module({ ... }) on it, or, if it is a provider, move it to `providers`.',
    ),
  CW_DI_IMPORT_UNDEFINED: (at: { place: Place | undefined }) =>
    at.place === undefined
      ? lines(
          'The root module is undefined.',
          'Why: its file and this one import each other, or the import names what that file does not export.',
          'Mend: correct the import (export class AppModule, import { AppModule }), and start the program in a file that nobody imports.',
        )
      : lines(
          `${at.place} was undefined when the module was defined.`,
          'Why: most likely the files of the two modules import each other.',
          'Mend: move what both need into a third module, or write lazy(() => OtherModule) in `imports`.',
        ),
  CW_DI_IMPORT_REJECTED: (at: { place: Place; error: string }) =>
    lines(
      `${at.place}: the promise of a dynamic module was rejected (${at.error}).`,
      'Mend: catch the failure where the module is made, or move the waiting into an async useFactory.',
    ),
  CW_DI_EXPORT_NOT_PROVIDED: (at: { token: string; module: string; owner: string | undefined }) =>
    lines(
      `${at.module} exports ${at.token}, and neither provides nor imports it.`,
      'Why: a module exports its own providers, and modules it imports.',
      at.owner === undefined
        ? `Mend: add ${at.token} to the providers of ${at.module}, or take it out of its exports.`
        : `Mend: ${at.token} belongs to ${at.owner}: import that module and export the module itself.`,
    ),
  CW_DI_PROVIDER_DUPLICATE: (at: { token: string; module: string; count: number }) =>
    lines(
      `${at.module} provides ${at.token} ${at.count} times.`,
      'Why: only one of them could be injected; which one must not depend on the order of a list.',
      'Mend: keep one. If all are meant, write multi: true on each; who injects the token then gets the array.',
    ),
  CW_DI_MULTI_MIXED: (at: { token: string; module: string; other: string }) =>
    lines(
      `${at.token} is one of many (multi) in ${at.module} and a single provider in ${at.other}.`,
      'Why: who injects it would get an array or one instance, depending on the place.',
      'Mend: write multi: true on all providers of the token, or on none.',
    ),
  CW_DI_PROVIDER_INVALID: (at: { place: Place; reason: string }) =>
    lines(
      `${at.place} is not a provider: ${at.reason}.`,
      'Mend: give a class, or { provide: token } with exactly one of useClass, useValue, useFactory, useExisting.',
    ),
  CW_DI_OPTION_UNKNOWN: (at: { option: string; place: Place; nearest: string | undefined }) =>
    lines(
      `${at.place} has an option that does not exist: ${at.option}.`,
      at.nearest === undefined ? 'Mend: take it out.' : `Mend: take it out, or did you mean ${at.nearest}?`,
    ),
  CW_DI_OPTION_UNUSED: (at: { option: string; place: Place; reason: string }) =>
    lines(`${at.place}: the option ${at.option} has no effect: ${at.reason}.`, 'Mend: take it out.'),
  CW_DI_OVERRIDE_UNUSED: (at: { name: string; hint: string | undefined }) =>
    lines(
      `The override of ${at.name} replaces nothing: no module has it.`,
      ...(at.hint === undefined ? [] : [at.hint]),
      'Mend: take the override out, or import the module that has it.',
    ),
  CW_DI_LAZY_TRANSIENT: (at: { place: Place; token: string }) =>
    lines(
      `${at.place}: a Lazy of ${at.token}, which is TRANSIENT.`,
      'Why: a Lazy gives the one shared instance that is made later; of a TRANSIENT there is none to share.',
      `Mend: inject ${at.token} itself, or give it the scope SINGLETON or CALL.`,
    ),
  CW_DI_ASYNC_FACTORY: (at: { token: string; module: string; scope: string }) =>
    lines(
      `The factory of ${at.token} (${at.module}) returns a promise and has the scope ${at.scope}.`,
      'Why: scopes of calls are built without waiting; only singletons may be awaited, at boot.',
      'Mend: make it a SINGLETON, or load the value in onCallStart of a CALL provider.',
    ),
  CW_DI_PROVIDER_AMBIGUOUS: (at: {
    token: string;
    place: Place;
    module: string;
    used: string;
    other: string;
  }) =>
    lines(
      `${at.place}: ${at.module} imports ${at.token} from ${at.used} and from ${at.other}; the first is used.`,
      'Mend: import only one of the two modules, or let only one of them export it.',
    ),
  CW_DI_PLAN_HAS_PROBLEMS: (at: { count: number; first: string }) =>
    lines(
      `The container cannot be made: its plan has ${at.count} problem(s). The first one:`,
      `  ${at.first.split('\n')[0]}`,
      'Mend: read `problems` of the plan and mend them.',
    ),
  CW_DI_PROVIDER_FAILED: (at: { token: string; module: string; step: string }) =>
    lines(
      `${at.token} (${at.module}): ${at.step} failed while the application started. The cause is attached.`,
      'What was made before it has been torn down.',
      'Mend: read the cause; a service that may be away at boot needs a retry in its own factory or hook.',
    ),
  CW_DI_GET_CALL_SCOPED: (at: { token: string }) =>
    lines(
      `${at.token} lives for one call, so there is no instance outside of a call.`,
      'Mend: inject CallScopes and ask the live call: callScopes.get(callId)?.get(token).',
    ),
  CW_DI_TOO_EARLY: (at: { token: string }) =>
    lines(
      `${at.token} was asked for, by a Lazy or by ModuleRef, before it was made.`,
      'Why: while a constructor, a factory or an initialiser runs, only what it injects is sure to exist.',
      'Mend: keep the Lazy or the ModuleRef, and call get() in a method or in a lifecycle hook.',
    ),
  CW_DI_NOT_IN_SCOPE: (at: { token: string; module: string }) =>
    lines(
      `${at.token} is not part of this call's scope (opened for ${at.module}).`,
      'Why: a scope holds what its roots need, directly or over others, and nothing else.',
      'Mend: inject it into the agent or into a provider that the agent uses.',
    ),
  CW_DI_SCOPE_KEY_IN_USE: () =>
    lines(
      'A scope with this key is open already.',
      'Why: CallScopes finds a scope by its key, so a key names one call.',
      'Mend: use a key that is unique for ever, or close the older scope first.',
    ),
  CW_DI_INPUT_COUNT: (at: { expected: number; given: number }) =>
    lines(
      `A scope was opened with ${at.given} input(s); it takes ${at.expected}.`,
      'Mend: give one value for each token of `callInputs`, in that order.',
    ),
  CW_DI_TEARDOWN_DEADLINE: (at: { name: string; deadlineMs: number; behind: number }) =>
    lines(
      `${at.name}: its teardown had not ended after ${at.deadlineMs} ms and is no longer waited for.`,
      `The ${at.behind} teardown(s) behind it were started at once, without waiting.`,
      'Mend: make the teardown faster, or give it a time limit of its own.',
    ),
} as const;

/** A code of {@link diErrors}. */
export type DiErrorCode = keyof typeof diErrors;

/** What the text of a code is made of. */
export type DiErrorDetails<C extends DiErrorCode> = Parameters<(typeof diErrors)[C]>;

/** A problem of the table. */
export function problem<C extends DiErrorCode>(code: C, ...details: DiErrorDetails<C>): Problem {
  return Object.freeze({ code, message: textOf(code, details) });
}

/** An error of the container while it runs; what is wrong at boot are {@link Problem}s. */
export class DiError extends Error {
  override readonly name = 'DiError';
  /** A code of the error table. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** An error of the table. */
export function diError<C extends DiErrorCode>(
  code: C,
  details: DiErrorDetails<C>,
  options?: ErrorOptions,
): DiError {
  return new DiError(code, textOf(code, details), options);
}

function textOf<C extends DiErrorCode>(code: C, details: DiErrorDetails<C>): string {
  // The compiler cannot relate an entry of the table to its own parameters when the code is generic.
  const text = diErrors[code] as (...args: DiErrorDetails<C>) => string;
  return text(...details);
}

function lines(...texts: readonly string[]): string {
  return texts.join('\n');
}

const LONGEST_PATH = 24;

/** Paths longer than 24 names are cut in the middle: a message stays readable. */
function shorten(path: readonly string[]): readonly string[] {
  if (path.length <= LONGEST_PATH) return path;
  const half = LONGEST_PATH / 2;
  return [...path.slice(0, half), `(${path.length - LONGEST_PATH} more)`, ...path.slice(-half)];
}
