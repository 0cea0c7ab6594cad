import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '../audit.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/connect.ts'
import { type Resealed, reseal } from '../db/reseal.ts'
import { drawKey, readKeyFile, writeKeyFile } from './key-file.ts'
import { type Keys, keyName, secretKey } from './keys.ts'

type Rotation = {
  db: Db
  config: Config
  say: (line: string) => void
  /** How long work may be under way that asked for the keys before they changed, in seconds. */
  patienceSeconds?: number
  /** Go on although some values open with none of the keys: they are lost already. */
  leaveLost?: boolean
}

// A request reads its keys and then its rows; in between the file must not change twice.
const noticeMs = 1_000

/**
 * Seals everything under a new key. With SECRET_KEY set that is the new one and SECRET_KEY_OTHER names the old one; else a new key is drawn
 * into the data directory's file, where running apps find it. Killed at any moment it goes on when it is started again.
 * Nothing is forgotten while a value is left that only an old key opens; it throws then.
 */
export async function rotateKey(rotation: Rotation): Promise<void> {
  const { config, say, patienceSeconds = 35 } = rotation
  if (config.secretKey) {
    const keys = secretKey(config)
    if (keys.others.length === 0)
      throw new Error('Set SECRET_KEY to the new key and SECRET_KEY_OTHER to the one it replaces.')
    await moveAll(rotation, keys)
    say(
      `Everything is sealed by the key ${keyName(keys.current)}. SECRET_KEY_OTHER is needed no longer once every process runs with this SECRET_KEY.`,
    )
    return
  }
  const { dataDir } = config
  await changeKey(dataDir)
  const keys = secretKey(config)
  say(`The key is ${keyName(keys.current)} now. Sealing what older keys have sealed.`)
  await moveAll(rotation, keys)
  say(`Waiting ${patienceSeconds} s for work that began with the old key.`)
  await sleep(patienceSeconds * 1_000)
  await moveAll(rotation, keys)
  const { current, others } = readKeyFile(dataDir)
  const retired = others.map(({ key }) => keep(dataDir, key))
  writeKeyFile(dataDir, { current, others: [] })
  say(`Everything is sealed by the key ${keyName(keys.current)}.`)
  for (const file of retired)
    say(`The old key is in ${file}. Only backups made until now need it: keep it with them, and not here.`)
}

/** In three steps, each of which every process has to see before the next: the new key opens, then it seals, then the old one goes. */
async function changeKey(dataDir: string): Promise<void> {
  const found = readKeyFile(dataDir)
  if (found.others.length === 0) writeKeyFile(dataDir, { ...found, others: [{ role: 'next', key: drawKey() }] })
  const { current, others } = readKeyFile(dataDir)
  const next = others.find(({ role }) => role === 'next')
  if (!next) return
  await sleep(noticeMs)
  writeKeyFile(dataDir, {
    current: next.key,
    others: [{ role: 'old', key: current }, ...others.filter(({ role }) => role === 'old')],
  })
  await sleep(noticeMs)
}

async function moveAll({ db, say, leaveLost }: Rotation, keys: Keys): Promise<void> {
  const done = await reseal(db, keys)
  for (const { name, resealed, unreadable } of done)
    say(`  ${name}: ${resealed} sealed anew${unreadable > 0 ? `, ${unreadable} that no key opens` : ''}`)
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
      `${total('unreadable')} values open with none of the keys; they were left as they are, and so were the old keys. SECRET_KEY_OTHER may name further keys; --leave-lost goes on without those values.`,
    )
}

const countsOf = (done: Resealed[]) => Object.fromEntries(done.map(({ name, resealed }) => [name, resealed]))

function keep(dataDir: string, key: string): string {
  const file = join(dataDir, `retired-${keyName(Buffer.from(key, 'base64'))}.key`)
  writeFileSync(file, `${key}\n`, { mode: 0o600, flush: true })
  return file
}
