import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf, isAlive } from './process-identity.ts'

/**
 * Registers this process as a user of the database in `folder`, with a file named after its identity. `unregister` removes the file and returns how many other
 * apps are registered and alive; files of killed apps are removed. Call both while holding the folder's lock.
 */
export function registerProcess(folder: string): { unregister: () => { others: number } } {
  const apps = join(folder, 'apps')
  mkdirSync(apps, { recursive: true })
  const own = `${identityOf(process.pid)}.${randomBytes(4).toString('hex')}`
  writeFileSync(join(apps, own), '')
  return {
    unregister: () => {
      rmSync(join(apps, own), { force: true })
      return { others: countAlive(apps) }
    },
  }
}

function countAlive(apps: string): number {
  const names = readdirSync(apps)
  const living = names.filter((name) => isAlive(name.split('.')[0]!))
  for (const name of names) if (!living.includes(name)) rmSync(join(apps, name), { force: true })
  return living.length
}
