import { jsonDepth } from '@callwright/protocol';
jsonDepth({ a: [1] }, 128); // 2
