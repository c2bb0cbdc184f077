import { buildToolResult, ProtocolError } from '@callwright/protocol';

try {
  buildToolResult(7, JSON.stringify('é'.repeat(33_000)));
} catch (error) {
  if (error instanceof ProtocolError) console.log(error.code); // too_large
}
