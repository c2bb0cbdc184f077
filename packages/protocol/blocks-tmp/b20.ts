import { reviewCommand } from '@callwright/protocol';
reviewCommand({ type: 'say', text: ' ' })?.code; // 'invalid_argument'
