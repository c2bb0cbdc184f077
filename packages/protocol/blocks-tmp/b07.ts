import { mintSessionToken, ProtocolError } from '@callwright/protocol';

try {
  mintSessionToken({ secret: 'too short', audience: 'brisvox-webrtc' });
} catch (error) {
  if (error instanceof ProtocolError) console.log(error.message); // ... secret must have at least 32 bytes of UTF-8. ...
}
