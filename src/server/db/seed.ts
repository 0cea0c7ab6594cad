import { sql } from 'drizzle-orm'
import { notifyCatalog } from '../live/notify.ts'
import type { Db } from './connect.ts'
import { sampleChannels } from './sample/channels.ts'
import { sampleDeviceCategories } from './sample/device-categories.ts'
import { sampleFaqs } from './sample/faqs.ts'
import { samplePlans } from './sample/plans.ts'
import { channels, deviceCategories, faqs, plans } from './tables.ts'

/** An advisory lock that nothing else uses: processes that start at the same time load the sample one after the other. */
const seedLock = 7_283_001

/** Loads the sample catalog into a database without plans, in one transaction. Returns false if there are plans already. */
export function seedSample(db: Db): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${seedLock})`)
    const [found] = await tx.select({ id: plans.id }).from(plans).limit(1)
    if (found) return false
    await tx.insert(plans).values(samplePlans)
    await tx.insert(channels).values(sampleChannels)
    await tx
      .insert(deviceCategories)
      .values(sampleDeviceCategories.map((category, position) => ({ ...category, position })))
    await tx.insert(faqs).values(sampleFaqs.map((entry, index) => ({ ...entry, order: index + 1 })))
    await notifyCatalog(tx)
    return true
  })
}
