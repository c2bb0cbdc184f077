import type { Rule } from '../class-validator';
import { checkedStrings } from './checked-strings';
import { customImageOf } from './custom';
import type { DecoratorImage, Image } from './image';
import { numbersDatesArrays } from './numbers-dates-arrays';
import { strings } from './strings';
import { typesAndValues } from './types-and-values';

/** Every decorator of class-validator that checks a value, with what JSON Schema can say of it. */
export const decoratorImages: readonly DecoratorImage[] = [
  ...typesAndValues,
  ...numbersDatesArrays,
  ...strings,
  ...checkedStrings,
];

const byRule = new Map(decoratorImages.map((entry) => [entry.rule, entry]));

/** Whether the rule is one of class-validator's own. */
export function isBuiltIn(name: string): boolean {
  return byRule.has(name);
}

/** The rule as the program writes it, `@IsInt`; a custom validator by its name. */
export function decoratorOf(rule: Rule): string {
  const entry = byRule.get(rule.name);
  return entry === undefined ? rule.name : `@${entry.decorator}`;
}

const images = new WeakMap<Rule, Image>();

/** The image of a rule; `undefined` for a custom validator that nothing is known of. */
export function imageOf(rule: Rule): Image | undefined {
  const known = images.get(rule);
  if (known !== undefined) return known;
  const image = customImageOf(rule.name, rule.constraints) ?? byRule.get(rule.name)?.image(rule.constraints);
  if (image !== undefined) images.set(rule, image);
  return image;
}
