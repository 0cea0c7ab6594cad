import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/harness/folders.ts'
import { canReach } from './account.ts'
import { runnableBinaries, shippedPostgres } from './binaries.ts'

const otherUser = { uid: 54_321, gid: 54_321 }

test('a folder with mode 700 and everything in it are unreachable for other users', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'closed/open'), { recursive: true })
  chmodSync(join(folder, 'closed'), 0o700)
  expect(canReach(join(folder, 'closed/open'), otherUser)).toBe(false)
  expect(canReach(folder, otherUser)).toBe(true)
  const { uid, gid } = statSync(folder)
  expect(canReach(join(folder, 'closed/open'), { uid, gid })).toBe(tmpIsOpenTo(uid))
})

test('a reachable package gets its symbolic links and is used in place', () => {
  const source = fakePackage(temporaryFolder(), 0o755)
  expect(runnableBinaries(source, temporaryFolder(), otherUser)).toBe(source.native)
  expect(readFileSync(join(source.native, 'lib/libpq.so.5'), 'utf8')).toBe('library')
  expect(runnableBinaries(source, temporaryFolder(), otherUser)).toBe(source.native)
})

test('an unreachable package is copied next to the data, with links and readable modes, and not changed', () => {
  const source = fakePackage(temporaryFolder(), 0o700)
  const data = temporaryFolder()
  const copy = runnableBinaries(source, data, otherUser)
  expect(copy).toBe(join(data, 'native-18.0.0'))
  expect(existsSync(join(source.native, 'lib/libpq.so.5'))).toBe(false)
  expect(readFileSync(join(copy, 'lib/libpq.so.5'), 'utf8')).toBe('library')
  expect(statSync(join(copy, 'bin/postgres')).mode & 0o777).toBe(0o755)
  expect(statSync(join(copy, 'lib/libpq.so.5.18')).mode & 0o777).toBe(0o644)
  expect(runnableBinaries(source, data, otherUser)).toBe(copy)
  expect(readdirSync(data)).toEqual(['native-18.0.0'])
})

test('the package of this platform is installed and names its PostgreSQL version', () => {
  const { native, major } = shippedPostgres()
  expect(major).toBe('18')
  expect(existsSync(join(native, 'bin/initdb'))).toBe(true)
})

/** Creates a package that was unpacked with the given mode, as under a restrictive umask. */
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
