import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { withMinimumDuration } from './minimum-duration.ts'
import { unlimitedSlot } from './slot.ts'

test('the slot is released when the work is done, before the delayed result is returned', async () => {
  const [release, onResolved] = [vi.fn(), vi.fn()]
  const response = withMinimumDuration(300, async () => 'done', { ...unlimitedSlot, release }).then(onResolved)
  await turn()
  expect([release.mock.calls.length, onResolved.mock.calls.length]).toEqual([1, 0])
  await response
  expect(onResolved).toHaveBeenCalledWith('done')
})

test('the slot is released when the work fails', async () => {
  const release = vi.fn()
  const work = async () => {
    throw new Error('failed')
  }
  await expect(withMinimumDuration(0, work, { ...unlimitedSlot, release })).rejects.toThrow('failed')
  expect(release).toHaveBeenCalledTimes(1)
})
