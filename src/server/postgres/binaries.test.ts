import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/harness/folders.ts'
import { canReach } from './account.ts'
import { runnableBinaries, shipped } from './binaries.ts'

const stranger = { uid: 54_321, gid: 54_321 }

test('a folder of one owner alone is closed to others, with all below it', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'closed/open'), { recursive: true })
  chmodSync(join(folder, 'closed'), 0o700)
  expect(canReach(join(folder, 'closed/open'), stranger)).toBe(false)
  expect(canReach(folder, stranger)).toBe(true)
  const { uid, gid } = statSync(folder)
  expect(canReach(join(folder, 'closed/open'), { uid, gid })).toBe(tmpIsOpenTo(uid))
})

test('a package in reach is completed with its links and used where it is', () => {
  const source = fakePackage(temporaryFolder(), 0o755)
  expect(runnableBinaries(source, temporaryFolder(), stranger)).toBe(source.native)
  expect(readFileSync(join(source.native, 'lib/libpq.so.5'), 'utf8')).toBe('library')
  expect(runnableBinaries(source, temporaryFolder(), stranger)).toBe(source.native)
})

test('a package out of reach is left as it is and copied next to the data, complete and readable', () => {
  const source = fakePackage(temporaryFolder(), 0o700)
  const data = temporaryFolder()
  const copy = runnableBinaries(source, data, stranger)
  expect(copy).toBe(join(data, 'native-18.0.0'))
  expect(existsSync(join(source.native, 'lib/libpq.so.5'))).toBe(false)
  expect(readFileSync(join(copy, 'lib/libpq.so.5'), 'utf8')).toBe('library')
  expect(statSync(join(copy, 'bin/postgres')).mode & 0o777).toBe(0o755)
  expect(statSync(join(copy, 'lib/libpq.so.5.18')).mode & 0o777).toBe(0o644)
  expect(runnableBinaries(source, data, stranger)).toBe(copy)
  expect(readdirSync(data)).toEqual(['native-18.0.0'])
})

test('the package of this platform is there and says which PostgreSQL it brings', () => {
  const { native, major } = shipped()
  expect(major).toBe('18')
  expect(existsSync(join(native, 'bin/initdb'))).toBe(true)
})

/** A package unpacked into a folder of the given mode, under the tight umask that `mode` stands for. */
function fakePackage(root: string, mode: number) {
  const native = join(root, 'native')
  for (const folder of ['bin', 'lib']) mkdirSync(join(native, folder), { recursive: true })
  writeFileSync(join(native, 'bin/postgres'), 'program', { mode })
  writeFileSync(join(native, 'lib/libpq.so.5.18'), 'library', { mode: mode & 0o666 })
  writeFileSync(
    join(native, 'pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
  )
  for (const folder of [native, join(native, 'bin'), join(native, 'lib')]) chmodSync(folder, mode)
  return { native, version: '18.0.0', major: '18' }
}

const tmpIsOpenTo = (uid: number): boolean => canReach(dirname(temporaryFolder()), { uid, gid: uid })
