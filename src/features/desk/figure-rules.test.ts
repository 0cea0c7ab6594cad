import { expect, test } from 'vitest'
import { changeOf } from './figure-rules.ts'

test.each([
  [71288, 60400, { isUp: true, percent: '18%' }],
  [900, 1000, { isUp: false, percent: '10%' }],
  [1054, 1000, { isUp: true, percent: '5.4%' }],
  [0, 500, { isUp: false, percent: '100%' }],
  [500, 0, undefined],
  [500, 500, undefined],
])('%i after %i is a change of %o', (today, before, change) => {
  expect(changeOf(today, before)).toEqual(change)
})
