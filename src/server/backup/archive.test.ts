import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readArchive, readErrorText } from './archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'sauce-archive-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a missing backup file, or a folder in its place, is reported in one sentence with the path', async () => {
  const missing = join(folder, 'missing.backup')
  await expect(readArchive(missing, [])).rejects.toThrow(`There is no file ${missing}.`)
  await expect(readArchive(join(folder, 'missing', 'x'), [])).rejects.toThrow(/^There is no file .*\/missing\/x\.$/)
  await expect(readArchive(folder, [])).rejects.toThrow(`${folder} is a folder, not a backup file.`)
})

test('a backup file without read permission is reported with its path and the user id', () => {
  for (const code of ['EACCES', 'EPERM'])
    expect(readErrorText('/backups/secret.gz', code)).toBe(
      `/backups/secret.gz cannot be read by this account (user id ${process.getuid?.()}): ${code}.`,
    )
  expect(readErrorText('/backups/secret.gz', 'EIO')).toBeUndefined()
})
