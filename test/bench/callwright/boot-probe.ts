/**
 * Boots 200 modules with five providers each, and looks at a tree of the same size in which every module lacks one
 * provider. Prints one line of JSON: { "wallMs", "problems" }.
 */
import 'reflect-metadata';
import { Injectable, Module, planContainer } from '@callwright/di';

type Class = new (...args: never[]) => object;

const MODULES = 200;
const PROVIDERS = 5;

/** Each module imports the one before and exports its last provider, on which the next one's first depends. */
function buildRoot(complete: boolean): Class {
  let previous: Class | undefined;
  let above: Class | undefined;
  for (let at = 0; at < MODULES; at++) {
    const providers: Class[] = [];
    for (let index = 0; index < PROVIDERS; index++) {
      const needs = providers.at(-1) ?? above;
      const type = named(`Service${at}x${index}`);
      Reflect.defineMetadata('design:paramtypes', needs === undefined ? [] : [needs], type);
      Injectable()(type);
      providers.push(type);
    }
    const module = named(`Part${at}`);
    above = providers.at(-1);
    Module({
      imports: previous === undefined ? [] : [previous],
      providers: complete ? providers : providers.slice(1),
      exports: above === undefined ? [] : [above],
    })(module);
    previous = module;
  }
  if (previous === undefined) throw new Error('a tree has modules');
  return previous;
}

function named(name: string): Class {
  const type = class {};
  Object.defineProperty(type, 'name', { value: name });
  return type;
}

async function main(): Promise<void> {
  const root = buildRoot(true);
  const startedMs = performance.now();
  const plan = await planContainer(root, {});
  const container = await plan.instantiate();
  const wallMs = performance.now() - startedMs;
  await container.close();
  const broken = await planContainer(buildRoot(false), {});
  process.stdout.write(`${JSON.stringify({ wallMs, problems: broken.problems.length })}\n`);
}

void main();
