/** Boots a NestJS application of 200 modules with five providers each; prints { "wallMs", "cpuMs" } in JSON. */
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

type Class = abstract new (...args: never[]) => object;

const MODULES = 200;
const PROVIDERS = 5;

function buildRoot(): Class {
  const modules: Class[] = [];
  let above: Class | undefined;
  for (let at = 0; at < MODULES; at++) {
    const providers: Class[] = [];
    for (let index = 0; index < PROVIDERS; index++) {
      const before = providers.at(-1) ?? above;
      const type = { [`Service${at}x${index}`]: class {} }[`Service${at}x${index}`] as Class;
      Reflect.defineMetadata('design:paramtypes', before === undefined ? [] : [before], type);
      Injectable()(type as never);
      providers.push(type);
    }
    const module = { [`Part${at}`]: class {} }[`Part${at}`] as Class;
    const previous = modules.at(-1);
    Module({
      imports: previous === undefined ? [] : [previous as never],
      providers: providers as never[],
      exports: [providers.at(-1) as never],
    })(module as never);
    modules.push(module);
    above = providers.at(-1);
  }
  return modules.at(-1) as Class;
}

async function main(): Promise<void> {
  const root = buildRoot();
  const startedMs = performance.now();
  const before = process.cpuUsage();
  await NestFactory.createApplicationContext(root as never, { logger: ['error'] });
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ wallMs: performance.now() - startedMs, cpuMs: (user + system) / 1_000 }));
}

void main();
