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

/** `next` will become the current key, `old` was the current key. A rotation that was interrupted continues from these roles. */
export type OtherKey = { role: 'next' | 'old'; key: string }
/** The file: the current key on the first line, then one line for each other key with its role. Keys are in base64. */
export type KeyFile = { current: string; others: OtherKey[] }

const pathOf = (dataDir: string): string => join(dataDir, 'secret.key')

/** Reads the keys in the data directory; creates the first one if there is no file. Throws if the file is unreadable or invalid. */
export function readKeyFile(dataDir: string): KeyFile {
  try {
    return parse(readFileSync(pathOf(dataDir), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(dataDir, { recursive: true })
  const made = writeTemporary(dataDir, { current: generateKey(), others: [] })
  try {
    // A link, unlike a rename, fails if another process was faster; both then use the same key.
    linkSync(made, pathOf(dataDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(made)
  }
  return parse(readFileSync(pathOf(dataDir), 'utf8'))
}

/** Replaces the file atomically and durably: readers see either the old or the new content. */
export function writeKeyFile(dataDir: string, file: KeyFile): void {
  renameSync(writeTemporary(dataDir, file), pathOf(dataDir))
  const folder = openSync(dataDir, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Generates a key: 32 random bytes in base64. */
export const generateKey = (): string => randomBytes(32).toString('base64')

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
