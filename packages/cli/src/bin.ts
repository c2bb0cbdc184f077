#!/usr/bin/env node
import { runCli } from './run-cli';

void runCli(process.argv.slice(2)).then((exitCode) => {
  // A program that was started goes on, and says at its end how it went.
  if (exitCode !== 0) process.exitCode = exitCode;
});
