import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { channels, deviceCategories, faqs, plans, setupGuides } from '#server/db/tables.ts'
import type { Channel, DeviceCategory, Faq, Plan, SetupGuide } from '../../contract.ts'
import { channelCategories } from '../../rules.ts'

const lineupOrder = channelCategories.map((category) => category.id)
/** The position of a channel's category in the tabs. */
export const categoryIndex = sql`array_position(${sql.param(lineupOrder)}::text[], ${channels.category})`

/** Prepared statements, planned once per connection, because nearly every page runs some of these queries. */
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
      .orderBy(categoryIndex, sql`lower(${channels.name})`, asc(channels.id))
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
    setupGuides: db
      .select()
      .from(setupGuides)
      .where(eq(setupGuides.hidden, false))
      .orderBy(asc(setupGuides.position), asc(setupGuides.id))
      .prepare('catalog_setup_guides'),
  }
}
const prepared = new WeakMap<Db, ReturnType<typeof statements>>()
function statementsFor(db: Db): ReturnType<typeof statements> {
  const known = prepared.get(db) ?? statements(db)
  prepared.set(db, known)
  return known
}

/** The plans on sale by group and connections, without hidden plans. Prices are in cents (specification 2, Pricing). */
export const listPlans = (db: Db): Promise<Plan[]> => statementsFor(db).plans.execute()

/** The channels by category and name, without hidden channels (specification 2, Channels). */
export const listChannels = (db: Db): Promise<Channel[]> => statementsFor(db).channels.execute()

/** The device categories by position, without hidden ones. */
export const listDeviceCategories = (db: Db): Promise<DeviceCategory[]> => statementsFor(db).deviceCategories.execute()

/** The questions and answers by position, without hidden ones. */
export const listFaqs = (db: Db): Promise<Faq[]> => statementsFor(db).faqs.execute()

/** The guides of the setup page by position, without those that are not offered. */
export const listSetupGuides = (db: Db): Promise<SetupGuide[]> => statementsFor(db).setupGuides.execute()
