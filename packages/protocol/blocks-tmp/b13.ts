import { buildServerMessage } from '@callwright/protocol';
buildServerMessage({ type: 'session.end', seq: 9, t_ms: 61_000, reason: 'call_ended' });
