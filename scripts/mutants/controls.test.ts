import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { read, root } from '../checks/tree.ts'
import { mutants } from './controls.ts'

test('there are 183 controls with unique names', () => {
  expect(new Set(mutants.map(({ control }) => control)).size).toBe(183)
})

test.each(mutants)(
  'the code of the control "$control" exists exactly once, and its tests exist',
  ({ edits, tests }) => {
    for (const { file, text, instead } of edits) {
      expect(read(file).split(text), `${file} holds ${text}`).toHaveLength(2)
      expect(instead).not.toBe(text)
    }
    expect(tests.filter((file) => !existsSync(join(root, file)))).toEqual([])
    expect(tests).not.toEqual([])
  },
)
