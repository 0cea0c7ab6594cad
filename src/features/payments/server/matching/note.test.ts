import { expect, it } from 'vitest'
import { readNote } from './note.ts'

const numbersIn = (note: string, prefix = 'SAUCE: ') => readNote(note, prefix).numbers.map(({ six }) => six)

it.each([
  'SAUCE: ORD-7F3K2G',
  'sauce ord 7f3k2g thanks 🎉',
  'ORD7F3K2G',
  'SAUCEORD-7F3K2G',
  'ord#7f3k2g.',
  'ORD\u20117F3K2G',
  'ORD\u2014 7F3K2G!',
  'O\u200bRD-7F3\u202eK2G',
  'ＯＲＤ－７Ｆ３Ｋ２Ｇ',
  'sauce 7F3K2G',
  'SAUCE:7f3k2g, for Ana',
  '(ORD: 7F3K2G)',
])('%j contains the order number', (note) => {
  expect(numbersIn(note)).toEqual(['7F3K2G'])
})

it.each([
  '7F3K2G',
  'RECORD-7F3K2G',
  'ORD-7F3K2GX',
  'ORD-7F3K2',
  'ORD-7F3K2GÉ',
  'XSAUCE 7F3K2G',
  'resource-sauces 7F3K2G',
  '',
])('%j contains no order number', (note) => {
  expect(numbersIn(note)).toEqual([])
})

it('a prefix may have several words or no words', () => {
  expect(numbersIn('my shop 7f3k2g', 'MY-SHOP / ')).toEqual(['7F3K2G'])
  expect(numbersIn('7F3K2G', '*** ')).toEqual([])
  expect(numbersIn('a-b 7F3K2G', 'a(b')).toEqual(['7F3K2G'])
})

it('pairs of neighboring words are returned as possible phrases', () => {
  expect(readNote('SAUCE: Amber-Otter!', 'SAUCE: ').wordPairs).toEqual(['sauce amber', 'amber otter'])
  expect(readNote('amber and otter', '').wordPairs).not.toContain('amber otter')
  expect(readNote('chamber otters', '').wordPairs).not.toContain('amber otter')
})

it('all numbers are read, each once', () => {
  expect(numbersIn('ORD-7F3K2G and ord-m4qwtd, ORD-7F3K2G')).toEqual(['7F3K2G', 'M4QWTD'])
})
