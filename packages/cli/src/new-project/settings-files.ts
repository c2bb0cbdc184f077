import { COMPILER_DEFAULTS } from '../typescript-hook';
import type { ProjectChoices } from './choices';
import { json } from './package-json';

/** The files that tell tools how to read the project. */
export function settingsFiles({ lint }: ProjectChoices): readonly (readonly [path: string, text: string])[] {
  return [
    ['tsconfig.json', TSCONFIG],
    ['tsconfig.build.json', TSCONFIG_BUILD],
    ['.swcrc', json(COMPILER_DEFAULTS)],
    ['jest.config.js', JEST_CONFIG],
    ['.gitignore', 'node_modules/\ndist/\nrecordings/\n'],
    ...(lint === 'biome' ? ([['biome.json', BIOME]] as const) : []),
  ];
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "ES2022",
    "module": "nodenext",
    "moduleResolution": "nodenext",
    "types": ["node", "jest", "@callwright/testing/jest"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "noImplicitOverride": true,
    "isolatedModules": true,
    // Callwright reads the types of decorated members: both must stay on.
    "experimentalDecorators": true,
    "emitDecoratorMetadata": true,
    "sourceMap": true,
    "skipLibCheck": true,
    "rootDir": "src",
    "outDir": "dist"
  },
  "include": ["src"]
}
`;

const TSCONFIG_BUILD = `{
  "extends": "./tsconfig.json",
  "compilerOptions": { "types": ["node"] },
  "exclude": ["src/**/*.test.ts"]
}
`;

const JEST_CONFIG = `module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/src'],
  transform: { '^.+\\\\.ts$': '@swc/jest' },
  // Before any decorated class, so that its types are kept.
  setupFiles: ['reflect-metadata'],
  setupFilesAfterEnv: ['@callwright/testing/jest'],
};
`;

const BIOME = `{
  "files": { "includes": ["**", "!dist", "!recordings", "!**/*.md"] },
  "formatter": { "indentStyle": "space", "indentWidth": 2, "lineWidth": 110 },
  "javascript": {
    "formatter": { "quoteStyle": "single" },
    "parser": { "unsafeParameterDecoratorsEnabled": true }
  },
  "linter": {
    "rules": {
      "preset": "recommended",
      "style": { "useImportType": "off" }
    }
  }
}
`;
