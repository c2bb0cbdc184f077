/** In a file of its own, since compilers that see one file at a time do not know what an imported name is. */
export enum Size {
  Small = 'small',
  Large = 'large',
}

export enum Rank {
  First = 1,
  Second = 2,
}

export type Weekday = 'monday' | 'tuesday';
