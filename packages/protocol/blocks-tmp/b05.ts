import { buildSay, ProtocolError } from '@callwright/protocol';

try {
  buildSay({ text: ' ' });
} catch (error) {
  if (error instanceof ProtocolError) console.log(error.message); // say text cannot be sent: it must not be blank. ...
}
