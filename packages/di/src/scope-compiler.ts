import { abandonOpening, NOT_BUILT, ScopeInstance, type ScopeLayout, ScopeLazy } from './call-scope';
import type { Operand, ScopeProgram, ScopeStep } from './program';
import { checkedResult, interpretScopes, type OpenScope } from './scope-interpreter';

/**
 * Turns a program into one function. Where code may not be generated from strings (a policy of the process),
 * the program is interpreted: the same in behaviour, some times slower.
 */
export function compileScopes(layout: ScopeLayout): OpenScope {
  return mayGenerateCode() ? generateScopes(layout) : interpretScopes(layout);
}

function mayGenerateCode(): boolean {
  try {
    new Function('');
    return true;
  } catch (error) {
    if (error instanceof EvalError) return false;
    throw error;
  }
}

/** The generated code holds indices and names made here, and nothing that a user wrote. */
export function generateScopes(layout: ScopeLayout): OpenScope {
  const source = new ScopeSource(layout.program);
  const make = new Function('ScopeInstance', 'values', 'runtime', source.text());
  const runtime = { layout, abandonOpening, NOT_BUILT, ScopeLazy, checkedResult };
  return make(ScopeInstance, source.values, runtime) as OpenScope; // the text ends with `return` of such a function
}

/** Writes the text of a subclass of ScopeInstance with a field for each input and each slot. */
class ScopeSource {
  /** What the text refers to as v0, v1, ...: classes, factories, singletons, property names. */
  readonly values: unknown[] = [];
  readonly #program: ScopeProgram;
  readonly #names = new Map<unknown, string>();

  constructor(program: ScopeProgram) {
    this.#program = program;
  }

  text(): string {
    const body = this.#classText();
    const constants = this.values.map((_, index) => `const v${index} = values[${index}];`);
    return `'use strict';
const { layout, abandonOpening, NOT_BUILT, ScopeLazy, checkedResult } = runtime;
${constants.join('\n')}
${body}
return (inputs, key) => new Scope(inputs, key);`;
  }

  #classText(): string {
    const { steps, inputs } = this.#program;
    const slots = steps.map((_, slot) => `this.s${slot}`);
    return `class Scope extends ScopeInstance {
  constructor(inputs, key) {
    super(key);
${this.#inputLines().join('\n')}
    let built = 0;
    try {
${this.#stepLines().join('\n')}
    } catch (error) {
      abandonOpening(this, built, error);
    }
  }
  layout() { return layout; }
  slot(index) { ${switchText(slots)} }
  input(index) { ${switchText(Array.from({ length: inputs }, (_, index) => `this.i${index}`))} }
  instances() { return [${slots.join(', ')}]; }
  disposeSlot(index) {
    switch (index) {
      ${steps.map((step, slot) => this.#disposal(step, slot)).join('\n      ')}
      default: return undefined;
    }
  }
}`;
  }

  #inputLines(): readonly string[] {
    const inputs = Array.from({ length: this.#program.inputs }, (_, i) => `    this.i${i} = inputs[${i}];`);
    const lazies = [...this.#program.lazySlots].map((slot) => `    this.s${slot} = NOT_BUILT;`);
    return [...inputs, ...lazies];
  }

  #stepLines(): readonly string[] {
    return this.#program.steps.flatMap((step, slot) => {
      const args = step.arguments.map((operand) => this.#expression(operand)).join(', ');
      const callee = this.#constant(step.make.kind === 'class' ? step.make.type : step.make.create);
      const made =
        step.make.kind === 'class'
          ? `new ${callee}(${args})`
          : `checkedResult(${callee}(${args}), ${this.#constant(step)})`;
      const properties = step.properties.map(
        ({ property, operand }) =>
          `      made${slot}[${this.#constant(property)}] = ${this.#expression(operand)};`,
      );
      const first =
        properties.length === 0
          ? [`      this.s${slot} = ${made};`]
          : [`      const made${slot} = ${made};`, `      this.s${slot} = made${slot};`];
      return [...first, `      built = ${slot + 1};`, ...properties];
    });
  }

  /** `dispose`, written out for each slot: each place in the code then sees instances of one class only. */
  #disposal(step: ScopeStep, slot: number): string {
    const foreign = step.make.kind === 'class' ? [] : this.#foreignTests(step);
    return `case ${slot}: {
        const made = this.s${slot};
        ${foreign.length === 0 ? '' : `if (${foreign.join(' || ')}) return undefined;`}
        const asyncDispose = made[Symbol.asyncDispose];
        if (typeof asyncDispose === 'function') return asyncDispose.call(made);
        const syncDispose = made[Symbol.dispose];
        return typeof syncDispose === 'function' ? syncDispose.call(made) : undefined;
      }`;
  }

  /** A factory may return nothing, or what it was given: that belongs to someone else. */
  #foreignTests(step: ScopeStep): readonly string[] {
    const given = step.arguments.filter((operand) => operand.kind !== 'list' && operand.kind !== 'lazy');
    const same = given.map((operand) => `made === ${this.#expression(operand)}`);
    return ['made === null', 'made === undefined', ...same];
  }

  #expression(operand: Operand): string {
    switch (operand.kind) {
      case 'slot':
        return `this.s${operand.slot}`;
      case 'input':
        return `this.i${operand.index}`;
      case 'constant':
        return operand.value === undefined ? 'undefined' : this.#constant(operand.value);
      case 'list':
        return `[${operand.items.map((item) => this.#expression(item)).join(', ')}]`;
      case 'lazy':
        return `new ScopeLazy(this, ${this.#constant(operand.of)}, ${this.#constant(operand.name)})`;
    }
  }

  #constant(value: unknown): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const name = `v${this.values.push(value) - 1}`;
    this.#names.set(value, name);
    return name;
  }
}

function switchText(expressions: readonly string[]): string {
  const cases = expressions.map((expression, index) => `case ${index}: return ${expression};`);
  return `switch (index) { ${cases.join(' ')} default: return undefined; }`;
}
