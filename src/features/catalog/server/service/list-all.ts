import { and, asc, count, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Page } from '#kit/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { channels, deviceCategories, faqs, plans, setupGuides } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { AdminChannel, AdminDeviceCategory, AdminFaq, AdminPlan, channelSorts } from '../../admin-contract.ts'
import type { AdminSetupGuide } from '../../admin-guides-contract.ts'
import type { ChannelCategory } from '../../contract.ts'
import { categoryIndex } from './read-lists.ts'

// Plain SQL: in a query of one table Drizzle omits the table name, so `id` would refer to the inner table.
/** Whether a foreign key refers to a plan, so that the database would reject its deletion. Shown to administrators in advance. */
const isSold = sql<boolean>`(exists (select from invoices where plan_id = plans.id) or exists (select from users where plan_id = plans.id)
  or exists (select from activations where plan_id = plans.id) or exists (select from inquiries where plan_id = plans.id))`
const planView = { ...getTableColumns(plans), sold: isSold }

/** Returns all plans in order of group and connections. Of plans with the same connections, the plan on sale is first. */
export const listAllPlans = (db: Db): Promise<AdminPlan[]> =>
  db.select(planView).from(plans).orderBy(asc(plans.tier), asc(plans.connections), asc(plans.hidden), asc(plans.id))

/** Returns a plan with its admin fields; undefined when it does not exist. */
export async function adminPlan(db: Db | Tx, planId: number): Promise<AdminPlan | undefined> {
  const [found] = await db.select(planView).from(plans).where(eq(plans.id, planId))
  return found
}

type ChannelQuery = {
  page?: number
  pageSize?: number
  sort?: (typeof channelSorts)[number]
  order?: 'asc' | 'desc'
  search?: string
  status?: ChannelCategory
}
const byName = [sql`lower(${channels.name})`]
const sortings: Record<(typeof channelSorts)[number], SQL[]> = {
  name: byName,
  category: [categoryIndex, ...byName],
  id: [],
}

/** Returns a page of all channels, in the order of the lineup by default. `search` matches literally within the name. */
export async function listAllChannels(
  db: Db,
  { page = 1, pageSize = limits.lists.default, sort = 'category', order = 'asc', search = '', status }: ChannelQuery,
): Promise<Page<AdminChannel>> {
  const where = and(
    status && eq(channels.category, status),
    search === ''
      ? undefined
      : sql`lower(${channels.name}) like '%' || ${search.toLowerCase().replace(/[\\%_]/g, '\\$&')} || '%'`,
  )
  const [rows, [total]] = await Promise.all([
    db
      .select()
      .from(channels)
      .where(where)
      .orderBy(...[...sortings[sort], sql`${channels.id}`].map(order === 'asc' ? asc : desc))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db.select({ total: count() }).from(channels).where(where),
  ])
  return { rows, total: total!.total }
}

/** All device categories by position. */
export const listAllDeviceCategories = (db: Db): Promise<AdminDeviceCategory[]> =>
  db.select().from(deviceCategories).orderBy(asc(deviceCategories.position), asc(deviceCategories.id))

/** All questions by position. */
export const listAllFaqs = (db: Db): Promise<AdminFaq[]> =>
  db.select().from(faqs).orderBy(asc(faqs.order), asc(faqs.id))

/** All guides of the setup page by position. */
export const listAllSetupGuides = (db: Db): Promise<AdminSetupGuide[]> =>
  db.select().from(setupGuides).orderBy(asc(setupGuides.position), asc(setupGuides.id))
