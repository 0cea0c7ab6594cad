import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { withMinimumDuration } from './minimum-duration.ts'
import { freeSlot } from './slot.ts'

test('a slot is given back when the work is done, before the answer is', async () => {
  const [release, answered] = [vi.fn(), vi.fn()]
  const answer = withMinimumDuration(300, async () => 'done', { ...freeSlot, release }).then(answered)
  await turn()
  expect([release.mock.calls.length, answered.mock.calls.length]).toEqual([1, 0])
  await answer
  expect(answered).toHaveBeenCalledWith('done')
})

test('a slot is given back when the work fails', async () => {
  const release = vi.fn()
  const work = async () => {
    throw new Error('failed')
  }
  await expect(withMinimumDuration(0, work, { ...freeSlot, release })).rejects.toThrow('failed')
  expect(release).toHaveBeenCalledTimes(1)
})
