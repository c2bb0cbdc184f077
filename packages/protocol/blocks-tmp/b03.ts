import { parseServerMessage, ProtocolError } from '@callwright/protocol';

try {
  parseServerMessage('{"type":"user.text","epoch":1}');
} catch (error) {
  if (error instanceof ProtocolError) console.log(error.message); // Message user.text cannot be read: "text" must be a string. ...
}
