import { and, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Page } from '#kit/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { channelRights, channels } from '#server/db/tables.ts'
import { type List, readPage } from '#server/lists/list.ts'
import type { ChannelRight, rightListQuery, rightSorts } from '../../admin-contract.ts'
import { type RightState, warningDays } from '../../right-rules.ts'
import { isPublished, today } from './licensed.ts'

const { validFrom, validUntil } = channelRights
const lastWarningDay = sql`${today} + ${warningDays}::int`
const inState: Record<RightState, SQL> = {
  lapsed: sql`${validUntil} < ${today}`,
  upcoming: sql`${validUntil} >= ${today} and ${validFrom} > ${today}`,
  ending: sql`${validUntil} between ${today} and ${lastWarningDay} and ${validFrom} <= ${today}`,
  in_force: sql`${validUntil} > ${lastWarningDay} and ${validFrom} <= ${today}`,
}
const state = sql<RightState>`case when ${inState.lapsed} then 'lapsed' when ${inState.upcoming} then 'upcoming'
  when ${inState.ending} then 'ending' else 'in_force' end`

const rights = (db: Db | Tx) =>
  db
    .select({
      ...getTableColumns(channelRights),
      channelName: channels.name,
      state,
      published: isPublished(sql`${channelRights.channelId}`),
    })
    .from(channelRights)
    .innerJoin(channels, eq(channels.id, channelRights.channelId))

type Query = z.output<typeof rightListQuery>
const rightList: List<ChannelRight, (typeof rightSorts)[number], Query> = {
  table: channelRights,
  sorts: {
    createdAt: [channelRights.createdAt],
    validUntil: [channelRights.validUntil],
    licensor: [sql`lower(${channelRights.licensor})`],
  },
  where: ({ search, status }) => and(search ? matches(search) : undefined, status && inState[status]),
  rows: (db, ids) => rights(db).where(inArray(channelRights.id, ids)),
}
const matches = (search: string) => sql`(strpos(lower(${channelRights.licensor}), lower(${search})) > 0
  or ${channelRights.channelId} in (select id from channels where strpos(lower(name), lower(${search})) > 0))`

/** Returns one page of the register of rights. `search` is part of the name of a channel or licensor. */
export const listRights = (db: Db, query: Query): Promise<Page<ChannelRight>> => readPage(db, rightList, query)

/** Returns one right; undefined if there is none with this id. */
export async function rightById(tx: Db | Tx, id: number): Promise<ChannelRight | undefined> {
  return (await rights(tx).where(eq(channelRights.id, id)))[0]
}
