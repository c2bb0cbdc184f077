#!/usr/bin/env node
import { create } from './index';

void create(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
