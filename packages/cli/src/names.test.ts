import { readName } from './names';

describe('a name', () => {
  it.each(['table-booking', 'tableBooking', 'TableBooking', 'table_booking'])(
    'is understood as %s',
    (name) => {
      expect(readName('dto', name)).toEqual({
        kebab: 'table-booking',
        pascal: 'TableBooking',
        camel: 'tableBooking',
      });
    },
  );

  it.each(['', '7seas', 'a b', '../up', 'a--b', '-a', 'é', 'a'.repeat(61)])(
    'is refused when it is %p',
    (name) => {
      expect(() => readName('dto', name)).toThrow('CW_NAME_INVALID');
    },
  );

  it('may have 60 characters', () => {
    expect(readName('dto', 'a'.repeat(60)).kebab).toHaveLength(60);
  });
});
