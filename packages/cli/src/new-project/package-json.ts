import type { ProjectChoices } from './choices';

/** Versions that a new project starts with; a test holds them to those that this repository is tested with. */
export const VERSIONS = {
  'class-transformer': '^0.5.1',
  'class-validator': '^0.15.1',
  'reflect-metadata': '^0.2.2',
  '@biomejs/biome': '2.6.8',
  '@swc/core': '^1.16.22',
  '@swc/jest': '^0.2.39',
  '@types/jest': '^30.0.0',
  '@types/node': '^20.19.0',
  jest: '^30.5.2',
  typescript: '~6.0.3',
  yaml: '^2.9.1',
} as const;

/** The package.json of a new project. */
export function packageJson({ name, lint, version }: ProjectChoices): string {
  const isLinted = lint === 'biome';
  const { '@biomejs/biome': biome, ...always } = VERSIONS;
  const {
    'class-transformer': transformer,
    'class-validator': validator,
    'reflect-metadata': metadata,
    ...tools
  } = always;
  const ours = `^${version}`;
  return json({
    name,
    version: '0.1.0',
    private: true,
    type: 'commonjs',
    engines: { node: '>=20.19' },
    scripts: {
      dev: 'callwright dev',
      console: 'callwright console',
      inspect: 'callwright inspect',
      test: 'jest',
      scenarios: 'callwright test',
      typecheck: 'tsc --noEmit',
      ...(isLinted ? { lint: 'biome check .', format: 'biome check --write .' } : {}),
      build: 'tsc -p tsconfig.build.json',
      start: 'node --enable-source-maps dist/main.js',
    },
    dependencies: {
      callwright: ours,
      'class-transformer': transformer,
      'class-validator': validator,
      'reflect-metadata': metadata,
    },
    devDependencies: {
      ...(isLinted ? { '@biomejs/biome': biome } : {}),
      '@callwright/cli': ours,
      '@callwright/testing': ours,
      ...tools,
    },
  });
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
