import { mintSessionToken } from '@callwright/protocol';
const token = mintSessionToken({
  secret: 'a secret of thirty-two bytes or more',
  audience: 'brisvox-webrtc',
  maxCallSeconds: 600,
  meta: { visitor: 'v-17' },
});
