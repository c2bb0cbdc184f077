import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cliError } from '../errors';
import { isObject } from '../project';

/** The part of a tool's manifest that a comparison reads. */
export interface ComparedTool {
  readonly name: string;
  readonly kind: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly description: string;
  readonly confirm: boolean;
  readonly repeatable: boolean;
  readonly timeoutMs: number | null;
}

/** An agent's name and tools. */
export interface ComparedAgent {
  readonly name: string;
  readonly tools: readonly ComparedTool[];
}

/**
 * Reads the manifest that `callwright inspect --json` or `application.manifest()` made.
 * @throws CliError `CW_MANIFEST_UNREADABLE`
 */
export function readManifest(folder: string, file: string): readonly ComparedAgent[] {
  const value = parse(folder, file);
  const manifest = isObject(value) && isObject(value.manifest) ? value.manifest : value;
  if (!isObject(manifest) || !Array.isArray(manifest.agents)) {
    throw cliError('CW_MANIFEST_UNREADABLE', { file, reason: 'it has no list of agents' });
  }
  if (manifest.manifestVersion !== 1) {
    const reason = `it is of version ${JSON.stringify(manifest.manifestVersion)}; this program reads version 1`;
    throw cliError('CW_MANIFEST_UNREADABLE', { file, reason });
  }
  return manifest.agents.map((agent: unknown) => readAgent(file, agent));
}

function parse(folder: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(resolve(folder, file), 'utf8'));
  } catch (error) {
    const isMissing = isObject(error) && error.code === 'ENOENT';
    const reason = isMissing ? 'the file is not there' : 'it is not JSON';
    throw cliError('CW_MANIFEST_UNREADABLE', { file, reason }, { cause: error });
  }
}

function readAgent(file: string, agent: unknown): ComparedAgent {
  if (!isObject(agent) || typeof agent.name !== 'string' || !Array.isArray(agent.tools)) {
    throw cliError('CW_MANIFEST_UNREADABLE', { file, reason: 'an agent has no name or no list of tools' });
  }
  return { name: agent.name, tools: agent.tools.map((tool: unknown) => readTool(file, tool)) };
}

function readTool(file: string, tool: unknown): ComparedTool {
  if (!isObject(tool) || typeof tool.name !== 'string' || !isObject(tool.parameters)) {
    throw cliError('CW_MANIFEST_UNREADABLE', { file, reason: 'a tool has no name or no parameters' });
  }
  return {
    name: tool.name,
    kind: String(tool.kind),
    parameters: tool.parameters,
    description: String(tool.description),
    confirm: tool.confirm === true,
    repeatable: tool.repeatable === true,
    timeoutMs: typeof tool.timeoutMs === 'number' ? tool.timeoutMs : null,
  };
}
