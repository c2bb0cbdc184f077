import {
  type Class,
  type Container,
  type ContainerPlan,
  Module,
  type ModuleMetadata,
  type ModuleNode,
} from '.';

/** A module class of that name, without a file of its own. */
export function moduleOf(metadata: ModuleMetadata, name = 'AppModule'): Class {
  const type = { [name]: class {} }[name] as Class; // the record has exactly this entry
  Module(metadata)(type);
  return type;
}

/** The codes of what is wrong, in order. */
export function codes(plan: ContainerPlan): readonly string[] {
  return plan.problems.map(({ code }) => code);
}

/** The root module; fails the test if the root is none. */
export function rootOf(plan: ContainerPlan): ModuleNode {
  if (plan.root === undefined) throw new Error('the plan has no root');
  return plan.root;
}

/** The container of a plan that has to be sound. */
export async function instantiated(plan: ContainerPlan): Promise<Container> {
  expect(plan.problems).toEqual([]);
  return plan.instantiate();
}
