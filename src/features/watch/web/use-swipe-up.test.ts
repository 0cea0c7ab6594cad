import { expect, test } from 'vitest'
import { isSwipeUp } from './use-swipe-up.ts'

test.each([
  ['a long way up', 0, -200, true],
  ['up and a little to the side', 40, -120, true],
  ['as far as a tap may slip', 0, -20, false],
  ['to the side', -150, -80, false],
  ['down', 0, 200, false],
])('a finger that moved %s', (_, right, down, isUp) => {
  expect(isSwipeUp(right, down)).toBe(isUp)
})
