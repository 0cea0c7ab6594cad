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

/**
 * A key besides the current one. `next` becomes the current key in a rotation that has begun; `old` was current before. An interrupted rotation continues
 * from these roles.
 */
export type OtherKey = { role: 'next' | 'old'; key: string }
/** The content of the file: the current key on the first line, then each other key on a line with its role. Keys are in Base64. */
export type KeyFile = { current: string; others: OtherKey[] }

const pathOf = (dataDir: string): string => join(dataDir, 'secret.key')

/** Reads the key file in the data directory; creates it with a new key if it is missing. Throws if it cannot be read or is invalid. */
export function readKeyFile(dataDir: string): KeyFile {
  try {
    return parse(readFileSync(pathOf(dataDir), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(dataDir, { recursive: true })
  const temporary = writeTemporary(dataDir, { current: generateKey(), others: [] })
  try {
    // Unlike rename(), link() fails if another process created the file first; then both use the key in it.
    linkSync(temporary, pathOf(dataDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary)
  }
  return parse(readFileSync(pathOf(dataDir), 'utf8'))
}

/** Replaces the file atomically and durably: readers, even after a power failure, find either the old or the new content. */
export function writeKeyFile(dataDir: string, file: KeyFile): void {
  renameSync(writeTemporary(dataDir, file), pathOf(dataDir))
  const folder = openSync(dataDir, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Generates a key: 32 random bytes in Base64. */
export const generateKey = (): string => randomBytes(32).toString('base64')

/** Writes a new temporary file in the data directory, which only its owner can read. Returns its path. */
function writeTemporary(dataDir: string, { current, others }: KeyFile): string {
  const path = `${pathOf(dataDir)}.${process.pid}.${randomBytes(4).toString('hex')}`
  const lines = [current, ...others.map(({ role, key }) => `${role} ${key}`)]
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  return path
}

function parse(text: string): KeyFile {
  const [current = '', ...rest] = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return {
    current,
    others: rest.map((line) => {
      const [, role, key] = /^(next|old) (\S+)$/.exec(line) ?? []
      if (!role || !key) throw new Error('The file secret.key has an invalid line after its first line')
      return { role: role as OtherKey['role'], key }
    }),
  }
}
