import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readArchive } from './archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'sauce-archive-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a backup file that is missing or is a folder is named in one sentence', async () => {
  const missing = join(folder, 'missing.backup')
  await expect(readArchive(missing, [])).rejects.toThrow(`There is no file ${missing}.`)
  await expect(readArchive(join(folder, 'missing', 'x'), [])).rejects.toThrow(/^There is no file .*\/missing\/x\.$/)
  await expect(readArchive(folder, [])).rejects.toThrow(`${folder} is a folder, not a backup file.`)
})

test.skipIf(process.getuid?.() === 0)('a backup file that may not be read is named with the account', async () => {
  const file = join(folder, 'secret.backup')
  writeFileSync(file, '')
  chmodSync(file, 0)
  await expect(readArchive(file, [])).rejects.toThrow(
    `${file} cannot be read by this account (user id ${process.getuid?.()}): EACCES.`,
  )
})
