import { expect, it } from 'vitest'
import { maskNumbers, withVisibleMarks } from './untrusted-text.ts'

it.each([
  ['my card 4111 1111 1111 1111 thanks', 'my card ••••1111 thanks'],
  ['4111-1111-1111-1111', '••••1111'],
  ['3782 822463 10005', '••••0005'],
  ['acct 000123456789', 'acct ••••6789'],
  ['from GB33 BUKB 2020 1555 5555 55.', 'from ••••5555.'],
  ['nl91abna0417164300', '••••4300'],
  ['4111111111111111 and 4012888888881881', '••••1111 and ••••1881'],
])('%j is masked', (text, masked) => {
  expect(maskNumbers(text)).toBe(masked)
})

it.each([
  'SAUCE: ORD-234567',
  'SAUCE: ORD-7F3K2G on 2026-11-19 09:02:11',
  'amber otter',
  'ab12 thanks for the dinner with all of us',
  'TR770011223',
  'RF18539007547034',
  '36P004001E0407536',
  '$1,234,567.89',
])('%j is not masked', (text) => {
  expect(maskNumbers(text)).toBe(text)
})

it('invisible characters are replaced with their code points, and emoji are not split', () => {
  expect(withVisibleMarks('a\u202eb\u0000c\u200bd\u2066e\ufeff\n')).toBe(
    'a[U+202E]b[U+0000]c[U+200B]d[U+2066]e[U+FEFF][U+000A]',
  )
  expect(withVisibleMarks('👩‍🚀 ❤️‍🔥 José 王')).toBe('👩‍🚀 ❤️‍🔥 José 王')
  expect(withVisibleMarks('O\u200dR')).toBe('O[U+200D]R')
})
