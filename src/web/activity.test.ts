import { expect, test } from 'vitest'
import { backgroundMarker } from './activity.ts'

test('requests are marked as background a minute after the last activity, until the next activity', () => {
  const target = new EventTarget()
  let now = 1_000
  const mark = backgroundMarker(target, () => now)
  const marked = () => mark({ method: 'GET', headers: { accept: 'x' } }).headers
  expect(marked()).toEqual({ accept: 'x' })
  now += 59_999
  expect(marked()).toEqual({ accept: 'x' })
  now += 1
  expect(marked()).toEqual({ accept: 'x', 'x-background': '1' })
  for (const event of ['keydown', 'pointerdown', 'wheel', 'touchmove']) {
    now += 120_000
    expect(marked()).toEqual({ accept: 'x', 'x-background': '1' })
    target.dispatchEvent(new Event(event))
    expect(marked()).toEqual({ accept: 'x' })
  }
})
