import { cutUtf8 } from '@callwright/protocol';
cutUtf8('héllo', 2); // 'h'
