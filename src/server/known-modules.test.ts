import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// known-modules.ts relies on this: it resolves the relative imports of drizzle as ES modules without looking for a package.json.
test('drizzle has no nested package.json, and its files are ES modules', () => {
  const drizzle = dirname(fileURLToPath(import.meta.resolve('drizzle-orm')))
  expect(globSync('**/package.json', { cwd: drizzle })).toEqual(['package.json'])
  expect(JSON.parse(readFileSync(join(drizzle, 'package.json'), 'utf8'))).toMatchObject({ type: 'module' })
})
