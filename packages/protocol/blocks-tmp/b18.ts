import { parseSessionStart } from '@callwright/protocol';
parseSessionStart('{"type":"hello"}').outcome; // 'other_type'
