import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { channels, deviceCategories, faqs, plans } from '#server/db/tables.ts'
import type { Channel, DeviceCategory, Faq, Plan } from '../../contract.ts'
import { channelCategories } from '../../rules.ts'

const lineupOrder = channelCategories.map((category) => category.id)
/** Where a channel's category stands among the tabs. */
export const categoryPlace = sql`array_position(${sql.param(lineupOrder)}::text[], ${channels.category})`

/** Named statements are planned once a connection; these four are asked on nearly every page. */
function statements(db: Db) {
  return {
    plans: db
      .select()
      .from(plans)
      .where(eq(plans.hidden, false))
      .orderBy(asc(plans.tier), asc(plans.connections), asc(plans.id))
      .prepare('catalog_plans'),
    channels: db
      .select()
      .from(channels)
      .where(eq(channels.hidden, false))
      .orderBy(categoryPlace, sql`lower(${channels.name})`, asc(channels.id))
      .prepare('catalog_channels'),
    deviceCategories: db
      .select()
      .from(deviceCategories)
      .where(eq(deviceCategories.hidden, false))
      .orderBy(asc(deviceCategories.position), asc(deviceCategories.id))
      .prepare('catalog_device_categories'),
    faqs: db
      .select()
      .from(faqs)
      .where(eq(faqs.hidden, false))
      .orderBy(asc(faqs.order), asc(faqs.id))
      .prepare('catalog_faqs'),
  }
}
const prepared = new WeakMap<Db, ReturnType<typeof statements>>()
function of(db: Db): ReturnType<typeof statements> {
  const known = prepared.get(db) ?? statements(db)
  prepared.set(db, known)
  return known
}

/** Plans on sale by group and connections, prices in cents; hidden ones are left out (specification 2, Pricing). */
export const listPlans = (db: Db): Promise<Plan[]> => of(db).plans.execute()

/** The lineup in the order of the filter tabs, then by name; hidden ones are left out (specification 2, Channels). */
export const listChannels = (db: Db): Promise<Channel[]> => of(db).channels.execute()

/** Device categories in the operator's order; hidden ones are left out. */
export const listDeviceCategories = (db: Db): Promise<DeviceCategory[]> => of(db).deviceCategories.execute()

/** Questions and answers by their order; hidden ones are left out. */
export const listFaqs = (db: Db): Promise<Faq[]> => of(db).faqs.execute()
