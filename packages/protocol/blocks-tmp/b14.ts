import { parseServerMessage, ProtocolError } from '@callwright/protocol';
try {
  parseServerMessage('[]');
} catch (error) {
  if (error instanceof ProtocolError) console.log(error.code); // bad_message
}
