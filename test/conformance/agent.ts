// Serves the conformance agent: `npm run conformance:agent -- PORT`, with the token of BRISVOX_AGENT_TOKEN.
import { bootstrap, Module } from 'callwright';
import { ConformanceAgent } from './conformance-agent';

@Module({ agents: [ConformanceAgent] })
class ConformanceModule {}

const port = Number(process.argv[2] ?? 8765);
void bootstrap(ConformanceModule, { port, maxCalls: 4_096 });
