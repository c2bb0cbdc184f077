import { dateText, readDate } from './date';
import type { ClassPlans, PropertyPlan, Shape } from './shape';

/** Finds the dates that cannot be read, in arguments that passed the schema. */
export function explainDates(
  plans: ClassPlans,
  properties: readonly PropertyPlan[],
  args: unknown,
): readonly string[] {
  const sentences: string[] = [];
  walkProperties(plans, properties, args, '', sentences);
  return sentences;
}

function walkProperties(
  plans: ClassPlans,
  properties: readonly PropertyPlan[],
  args: unknown,
  path: string,
  sentences: string[],
): void {
  for (const { wireName, shape } of properties) {
    const value = (args as Record<string, unknown>)[wireName];
    walk(plans, shape, value, path === '' ? wireName : `${path}.${wireName}`, sentences);
  }
}

function walk(plans: ClassPlans, shape: Shape, value: unknown, path: string, sentences: string[]): void {
  if (value === undefined || value === null) return;
  switch (shape.kind) {
    case 'date':
      if (typeof value !== 'string' || readDate(value, shape.timeZone) === undefined)
        sentences.push(`${path} must be an existing ${dateText(shape.timeZone)}`);
      return;
    case 'class':
      if (typeof value === 'object')
        walkProperties(plans, plans.get(shape.type)?.properties ?? [], value, path, sentences);
      return;
    case 'variants': {
      const name = (value as Record<string, unknown>)[shape.tag];
      const type = shape.variants.find((variant) => variant.name === name)?.type;
      if (type !== undefined)
        walkProperties(plans, plans.get(type)?.properties ?? [], value, path, sentences);
      return;
    }
    case 'list':
      if (Array.isArray(value))
        value.forEach((item, index) => {
          walk(plans, shape.items, item, `${path}[${index}]`, sentences);
        });
      return;
    case 'map':
      for (const key of Object.keys(value))
        walk(
          plans,
          shape.values,
          (value as Record<string, unknown>)[key],
          `${path}.${key.slice(0, 40)}`,
          sentences,
        );
      return;
    default:
      return;
  }
}
