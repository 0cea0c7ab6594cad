import { expect, test } from 'vitest'
import { splitVerb } from './palette-words.ts'

test.each([
  ['', undefined, ''],
  ['  Dana Whitfield ', undefined, 'dana whitfield'],
  ['confirm ORD-7F3K2G', 'confirm', 'ord-7f3k2g'],
  ['send link for ORD-7F3K2G', 'send', 'ord-7f3k2g'],
  ['Approve trial of dana', 'approve', 'dana'],
  ['view dana', 'open', 'dana'],
  ['confirm', 'confirm', ''],
  ['confirmed', undefined, 'confirmed'],
  ['constructor', undefined, 'constructor'],
])('"%s" is read as the verb %s and the text "%s"', (typed, verb, term) => {
  expect(splitVerb(typed)).toEqual({ verb, term })
})
