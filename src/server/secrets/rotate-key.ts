import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '../audit.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/connect.ts'
import { type Resealed, reseal } from '../db/reseal.ts'
import { generateKey, readKeyFile, writeKeyFile } from './key-file.ts'
import { type KeyRing, keyName, secretKey } from './keys.ts'

type Rotation = {
  db: Db
  config: Config
  say: (line: string) => void
  /** The maximum seconds that operations may take which read the keys before the change. */
  drainSeconds?: number
  /** Continue even if some values cannot be decrypted with any key. These values are lost. */
  leaveLost?: boolean
}

// An operation reads the keys and then its rows; the file must not change twice in between.
const settleMs = 1_000

/**
 * Re-encrypts all sealed values with a new key: with SECRET_KEY if that is set (SECRET_KEY_OTHER names the old one), otherwise with a new
 * key generated in the data directory, where running apps find it. If interrupted, it continues when started again. Throws, and keeps the
 * old keys, if a value cannot be decrypted with any key.
 */
export async function rotateKey(rotation: Rotation): Promise<void> {
  const { config, say, drainSeconds = 35 } = rotation
  if (config.secretKey) {
    const keys = secretKey(config)
    if (keys.others.length === 0)
      throw new Error('Set SECRET_KEY to the new key and SECRET_KEY_OTHER to the one it replaces.')
    await resealAll(rotation, keys)
    say(
      `All secrets are encrypted with the key ${keyName(keys.current)}. Remove SECRET_KEY_OTHER once every process runs with this SECRET_KEY.`,
    )
    return
  }
  const { dataDir } = config
  await changeKey(dataDir)
  const keys = secretKey(config)
  say(`The new key is ${keyName(keys.current)}. Re-encrypting all secrets.`)
  await resealAll(rotation, keys)
  say(`Waiting ${drainSeconds} s for operations that started with the old key.`)
  await sleep(drainSeconds * 1_000)
  await resealAll(rotation, keys)
  const { current, others } = readKeyFile(dataDir)
  const retired = others.map(({ key }) => saveRetiredKey(dataDir, key))
  writeKeyFile(dataDir, { current, others: [] })
  say(`All secrets are encrypted with the key ${keyName(keys.current)}.`)
  for (const file of retired)
    say(`The old key is in ${file}. Only existing backups need it. Move it to where you keep them.`)
}

/**
 * Changes the key in steps, each of which all processes must see before the next: the new key decrypts, then it encrypts; `rotateKey` removes the old one
 * last.
 */
async function changeKey(dataDir: string): Promise<void> {
  const found = readKeyFile(dataDir)
  if (found.others.length === 0) writeKeyFile(dataDir, { ...found, others: [{ role: 'next', key: generateKey() }] })
  const { current, others } = readKeyFile(dataDir)
  const next = others.find(({ role }) => role === 'next')
  if (!next) return
  await sleep(settleMs)
  writeKeyFile(dataDir, {
    current: next.key,
    others: [{ role: 'old', key: current }, ...others.filter(({ role }) => role === 'old')],
  })
  await sleep(settleMs)
}

async function resealAll({ db, say, leaveLost }: Rotation, keys: KeyRing): Promise<void> {
  const done = await reseal(db, keys)
  for (const { name, resealed, unreadable } of done)
    say(
      `  ${name}: ${resealed} re-encrypted${unreadable > 0 ? `, ${unreadable} cannot be decrypted with any key` : ''}`,
    )
  const total = (count: keyof Omit<Resealed, 'name'>) => done.reduce((sum, each) => sum + each[count], 0)
  if (total('resealed') > 0)
    await audit(db, {
      actorId: null,
      action: 'secret.rotate',
      targetType: 'key',
      targetId: keyName(keys.current),
      after: countsOf(done),
      requestId: `cli:${process.pid}`,
    })
  if (total('unreadable') > 0 && !leaveLost)
    throw new Error(
      `${total('unreadable')} values cannot be decrypted with any key. They and the old keys were not changed. Add further keys to SECRET_KEY_OTHER, or continue without those values with --leave-lost.`,
    )
}

const countsOf = (done: Resealed[]) => Object.fromEntries(done.map(({ name, resealed }) => [name, resealed]))

function saveRetiredKey(dataDir: string, key: string): string {
  const file = join(dataDir, `retired-${keyName(Buffer.from(key, 'base64'))}.key`)
  writeFileSync(file, `${key}\n`, { mode: 0o600, flush: true })
  return file
}
