import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf, isAlive } from './process-identity.ts'

/**
 * One file per app that uses the database of this folder, named after its process. Whoever leaves last stops the server;
 * the files of killed apps do not count and are removed. Call both functions under the folder's lock.
 */
export function registerProcess(folder: string): { leave: () => { others: number } } {
  const apps = join(folder, 'apps')
  mkdirSync(apps, { recursive: true })
  const own = `${identityOf(process.pid)}.${randomBytes(4).toString('hex')}`
  writeFileSync(join(apps, own), '')
  return {
    leave: () => {
      rmSync(join(apps, own), { force: true })
      return { others: presentIn(apps) }
    },
  }
}

function presentIn(apps: string): number {
  const names = readdirSync(apps)
  const living = names.filter((name) => isAlive(name.split('.')[0]!))
  for (const name of names) if (!living.includes(name)) rmSync(join(apps, name), { force: true })
  return living.length
}
