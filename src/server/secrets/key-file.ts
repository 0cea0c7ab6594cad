import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** `next` will seal soon, `old` has sealed before: a rotation that was cut off knows by that where it stood. */
export type OtherKey = { role: 'next' | 'old'; key: string }
/** The file: the key that seals on the first line, then the others with their role before them. All in base64. */
export type KeyFile = { current: string; others: OtherKey[] }

const pathOf = (dataDir: string): string => join(dataDir, 'secret.key')

/** The keys kept in the data directory; a first one is made when there is none. Throws when the file cannot be read or says something else. */
export function readKeyFile(dataDir: string): KeyFile {
  try {
    return parsed(readFileSync(pathOf(dataDir), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(dataDir, { recursive: true })
  const made = writeAside(dataDir, { current: drawKey(), others: [] })
  try {
    // A link, unlike a rename, fails when another process was first: both then read the same key.
    linkSync(made, pathOf(dataDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(made)
  }
  return parsed(readFileSync(pathOf(dataDir), 'utf8'))
}

/** Replaces the file whole, written through to the disk: whoever reads meanwhile sees all of the old or all of the new one. */
export function writeKeyFile(dataDir: string, file: KeyFile): void {
  renameSync(writeAside(dataDir, file), pathOf(dataDir))
  const folder = openSync(dataDir, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** A new key: 32 random bytes in base64. */
export const drawKey = (): string => randomBytes(32).toString('base64')

function writeAside(dataDir: string, { current, others }: KeyFile): string {
  const path = `${pathOf(dataDir)}.${process.pid}.${randomBytes(4).toString('hex')}`
  const lines = [current, ...others.map(({ role, key }) => `${role} ${key}`)]
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  return path
}

function parsed(text: string): KeyFile {
  const [current = '', ...rest] = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return {
    current,
    others: rest.map((line) => {
      const [, role, key] = /^(next|old) (\S+)$/.exec(line) ?? []
      if (!role || !key) throw new Error('The file secret.key says something unknown after its first line')
      return { role: role as OtherKey['role'], key }
    }),
  }
}
