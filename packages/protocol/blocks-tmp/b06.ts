import { buildContextUpdate, ProtocolError } from '@callwright/protocol';

try {
  buildContextUpdate({ append: Array.from({ length: 33 }, () => ({ role: 'user' as const, text: 'Hello' })) });
} catch (error) {
  if (error instanceof ProtocolError) console.log(error.code); // too_large
}
