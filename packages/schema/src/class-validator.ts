/**
 * The one file that knows how class-validator keeps its rules. It reads the storage that class-validator puts on a
 * global, so that an application without DTOs never loads the library.
 */
import { type Class, lineageOf } from './class';

/** One decorator of class-validator on one property. */
export interface Rule {
  /** class-validator's name of the rule, such as `isString`; for `@Validate(X)` the constraint's name. */
  readonly name: string;
  readonly kind: 'check' | 'nested' | 'condition' | 'optional' | 'promise' | 'allow';
  readonly each: boolean;
  readonly constraints: readonly unknown[];
  /** Of `@ValidateIf`: whether the other rules of the property apply. */
  readonly condition?: (object: object, value: unknown) => boolean;
  /** The option `validateIf` of a single decorator. */
  readonly validateIf?: (object: object, value: unknown) => boolean;
  readonly isAsync: boolean;
  /** A message of the user, without the received value: worked out at boot, when there is none. */
  readonly customMessage?: string;
  /** class-validator's own check of one value. */
  readonly accepts: (value: unknown, object: object) => unknown;
}

/** The rules of one property, from the nearest class that has any. */
export interface PropertyRules {
  readonly property: string;
  readonly owner: Class;
  readonly rules: readonly Rule[];
  /** A base class whose rules of the same property no longer apply. */
  readonly overridden?: Class;
}

interface ValidationRecord {
  readonly type: string;
  readonly name?: string;
  readonly target: unknown;
  readonly propertyName: string;
  readonly constraints?: readonly unknown[];
  readonly constraintCls?: Class;
  readonly message?: string | ((parameters: unknown) => string);
  readonly each?: boolean;
  readonly validateIf?: (object: object, value: unknown) => boolean;
}

interface ConstraintRecord {
  readonly name?: string;
  readonly async: boolean;
  readonly instance: {
    validate(value: unknown, parameters: object): unknown;
    defaultMessage?(parameters: object): string;
  };
}

interface Storage {
  getTargetValidationMetadatas(
    target: Class,
    schema: string,
    always: boolean,
    strictGroups: boolean,
    groups: readonly string[] | undefined,
  ): readonly ValidationRecord[];
  getTargetValidatorConstraints(type: Class | undefined): readonly ConstraintRecord[];
}

function storage(): Storage | undefined {
  return (globalThis as { classValidatorMetadataStorage?: Storage }).classValidatorMetadataStorage;
}

/**
 * The rules of a class by property, base classes first, in the order of the decorators. Without groups, rules that
 * name a group are left out; with groups, class-validator's own selection holds: rules of these groups and `always`.
 */
export function rulesOf(
  type: Class,
  groups: readonly string[] | undefined,
): ReadonlyMap<string, PropertyRules> {
  const byProperty = new Map<string, PropertyRules>();
  const store = storage();
  if (store === undefined) return byProperty;
  const selected = groups !== undefined && groups.length > 0 ? groups : undefined;
  for (const owner of [...lineageOf(type)].reverse()) {
    // Asked class by class: of a class and its bases at once, class-validator drops some rules of the bases.
    const records = store.getTargetValidationMetadatas(owner, '', false, true, selected);
    for (const [property, own] of groupByProperty(records.filter((record) => record.target === owner))) {
      const base = byProperty.get(property);
      byProperty.set(property, {
        property,
        owner,
        rules: own.map((record) => ruleOf(store, record)),
        ...(base === undefined ? {} : { overridden: base.owner }),
      });
    }
  }
  return byProperty;
}

/** Whether class-validator knows any rule of the class, in any group. */
export function hasRules(type: Class): boolean {
  return (storage()?.getTargetValidationMetadatas(type, '', true, false, undefined).length ?? 0) > 0;
}

/** Whether the property has rules that the selected groups leave out. */
export function hasRulesInOtherGroups(type: Class, property: string): boolean {
  const records = storage()?.getTargetValidationMetadatas(type, '', true, false, undefined) ?? [];
  return records.some((record) => record.propertyName === property);
}

function groupByProperty(records: readonly ValidationRecord[]): Map<string, ValidationRecord[]> {
  const grouped = new Map<string, ValidationRecord[]>();
  for (const record of records) {
    const known = grouped.get(record.propertyName);
    if (known === undefined) grouped.set(record.propertyName, [record]);
    else known.push(record);
  }
  return grouped;
}

function ruleOf(store: Storage, record: ValidationRecord): Rule {
  const constraint = store.getTargetValidatorConstraints(record.constraintCls)[0];
  const constraints = record.constraints ?? [];
  const kind = kindOf(record);
  const customMessage = messageOf(record, constraint);
  return {
    name: record.name ?? constraint?.name ?? record.type,
    kind,
    each: record.each === true,
    constraints,
    isAsync: constraint?.async === true,
    accepts: acceptsOf(record, constraint),
    ...(kind === 'condition' ? { condition: constraints[0] as NonNullable<Rule['condition']> } : {}),
    ...(record.validateIf === undefined ? {} : { validateIf: record.validateIf }),
    ...(customMessage === undefined ? {} : { customMessage }),
  };
}

function kindOf(record: ValidationRecord): Rule['kind'] {
  switch (record.type) {
    case 'nestedValidation':
      return 'nested';
    case 'promiseValidation':
      return 'promise';
    case 'whitelistValidation':
      return 'allow';
    case 'conditionalValidation':
      return record.name === 'isOptional' ? 'optional' : 'condition';
    default:
      return 'check';
  }
}

function acceptsOf(record: ValidationRecord, constraint: ConstraintRecord | undefined): Rule['accepts'] {
  if (constraint === undefined) return () => true;
  // A user may give class-validator a container that builds the constraint late, so it is asked for once, at first use.
  let instance: ConstraintRecord['instance'] | undefined;
  return (value, object) => {
    instance ??= constraint.instance;
    return instance.validate(value, {
      value,
      object,
      constraints: record.constraints,
      property: record.propertyName,
      targetName: object.constructor?.name,
    });
  };
}

/**
 * The user's message as a fixed text. Functions are asked once, at boot, without a value, so that no message can
 * carry what a caller said; one that needs the value is not used.
 */
function messageOf(record: ValidationRecord, constraint: ConstraintRecord | undefined): string | undefined {
  const parameters = {
    value: undefined,
    object: {},
    constraints: record.constraints,
    property: record.propertyName,
  };
  try {
    const own = typeof record.message === 'function' ? record.message(parameters) : record.message;
    const text =
      own || (record.name === undefined ? constraint?.instance.defaultMessage?.(parameters) : undefined);
    if (typeof text !== 'string' || text === '' || record.type === 'nestedValidation') return undefined;
    return fillIn(text, record);
  } catch {
    return undefined;
  }
}

function fillIn(text: string, record: ValidationRecord): string {
  return text
    .replaceAll('$value', 'the value')
    .replaceAll('$property', record.propertyName)
    .replaceAll(/\$constraint(\d+)/g, (_, index: string) =>
      String(record.constraints?.[Number(index) - 1] ?? ''),
    )
    .replaceAll(/\s+/g, ' ')
    .slice(0, 200);
}

/** Marks the property as nested, as `@ValidateNested` of class-validator does. Loads the library, which DTOs load anyway. */
export function validateNested(prototype: object, property: string, each: boolean): void {
  const { ValidateNested } = require('class-validator') as typeof import('class-validator');
  ValidateNested({ each })(prototype, property);
}
