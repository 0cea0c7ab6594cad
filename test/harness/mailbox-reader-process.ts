// Reads the mailbox in a process of its own, and stops after it has fetched an email and before it stores it: the parent kills it there.

import { startMailboxReader } from '#features/receipts/server/mailbox/reader.ts'
import { readConfig } from '#server/config.ts'
import { type Address, connect } from '#server/db/connect.ts'
import { silentLog } from './silent-log.ts'

process.once('message', ({ address, secretKey }: { address: Address; secretKey: string }) => {
  const { db } = connect(address, { log: silentLog, max: 4 })
  const config = { ...readConfig({}), secretKey, mailboxAllowPrivate: true }
  const resolver = async (): Promise<string[][]> => {
    process.send!('fetched')
    return new Promise(() => {})
  }
  startMailboxReader({ db, config, log: silentLog, resolver })
})
