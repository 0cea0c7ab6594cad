import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/open.ts'
import { seedSample } from '#server/db/seed.ts'
import { openSession } from '#server/session/session.ts'
import { createUser } from '../test/harness/factories.ts'
import { addPaidHistory } from '../test/harness/paid-history.ts'

const oldInvoices = 230

/** Creates the database in `dataDir` with a customer who has paid 230 invoices. Returns the session token of the customer. */
export async function customerWithHistory(dataDir: string): Promise<string> {
  const database = await openDatabase(
    readConfig({ DATA_DIR: dataDir }),
    pino({ level: 'warn' }),
    join(import.meta.dirname, '../migrations'),
  )
  try {
    await seedSample(database.db)
    const user = await createUser(database.db, { username: 'regular' })
    await addPaidHistory(database.pool, [user.id], oldInvoices)
    return await openSession(database.db, user, { ip: '127.0.0.1', userAgent: 'bench' })
  } finally {
    await database.close()
  }
}
