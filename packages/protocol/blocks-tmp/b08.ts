import { mintSessionToken } from '@callwright/protocol';

const token = mintSessionToken({
  secret: 'a secret of thirty-two bytes or more',
  audience: 'brisvox-webrtc',
  ttlSeconds: 60,
  agent: 'luigi',
});
console.log(token.split('.').length); // 3
