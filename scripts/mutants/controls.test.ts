import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { read, root } from '../checks/tree.ts'
import { mutants } from './controls.ts'

test('twenty-four controls can be taken out, each under its own name', () => {
  expect(new Set(mutants.map(({ control }) => control)).size).toBe(24)
})

test.each(mutants)(
  'the control "$control" stands where it is taken out, and a test promises it',
  ({ edits, promisedBy }) => {
    for (const { file, text, instead } of edits) {
      expect(read(file).split(text), `${file} holds ${text}`).toHaveLength(2)
      expect(instead).not.toBe(text)
    }
    expect(promisedBy.filter((file) => !existsSync(join(root, file)))).toEqual([])
    expect(promisedBy).not.toEqual([])
  },
)
