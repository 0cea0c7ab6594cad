import { expect, onTestFinished, test, vi } from 'vitest'
import { countBuffer } from './count-buffer.ts'

test('the young generation is collected once for every 4 MB', () => {
  const before = globalThis.gc
  const collect = vi.fn()
  globalThis.gc = collect as unknown as NodeJS.GCFunction
  onTestFinished(() => {
    globalThis.gc = before
  })
  for (let chunk = 0; chunk < 160; chunk++) countBuffer(50_000)
  expect(collect.mock.calls).toEqual([[{ type: 'minor', execution: 'sync' }], [{ type: 'minor', execution: 'sync' }]])
})
