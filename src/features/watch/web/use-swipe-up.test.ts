import { expect, test } from 'vitest'
import { isSwipeUp } from './use-swipe-up.ts'

test.each([
  ['a long way up', 0, -200, true],
  ['up and a little to the side', 40, -120, true],
  ['up only as far as a finger may slip during a tap', 0, -20, false],
  ['more to the side than up', -150, -80, false],
  ['down', 0, 200, false],
])('a finger that moved %s is recognized correctly', (_, right, down, isUp) => {
  expect(isSwipeUp(right, down)).toBe(isUp)
})
