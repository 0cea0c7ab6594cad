import { and, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Page } from '#kit/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inquiries, plans } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { sortBuckets } from '#server/lists/counted-lists.ts'
import { type List, readPage } from '#server/lists/list.ts'
import { countedTotal } from '#server/lists/list-count.ts'
import { containsIndexed, hasId } from '#server/lists/list-search.ts'
import type { AdminInquiry, inquiryListQuery, inquirySorts } from '../../admin-contract.ts'

const adminInquiries = (db: Db | Tx) =>
  db
    .select({ ...getTableColumns(inquiries), planName: plans.name })
    .from(inquiries)
    .leftJoin(plans, eq(plans.id, inquiries.planId))

// This must be the same expression as in the search indexes. A search text never contains a line break, so it cannot match across fields.
const searchText = sql`lower(${inquiries.name} || E'\n' || ${inquiries.email} || E'\n' || ${inquiries.message})`

type Query = z.output<typeof inquiryListQuery>
/** The list of all inquiries. `search` matches a part of the name, email address or message, or, as `#12`, an id. */
export const inquiryList: List<AdminInquiry, (typeof inquirySorts)[number], Query> = {
  table: inquiries,
  sorts: { createdAt: [inquiries.createdAt], status: [inquiries.status, inquiries.createdAt] },
  where: ({ search, status }) =>
    and(
      search ? or(containsIndexed(searchText, search), hasId(inquiries.id, search)) : undefined,
      status && eq(inquiries.status, status),
    ),
  buckets: {
    createdAt: sortBuckets('inquiries', 'createdAt'),
    status: sortBuckets('inquiries', 'createdAt', 'status'),
  },
  bucketFilter: ({ search, status }) => (search ? undefined : { list: 'inquiries', status }),
  countedTotal: ({ search, status }) => (search ? undefined : countedTotal('inquiries', ...(status ? [status] : []))),
  rows: (db, ids) => adminInquiries(db).where(inArray(inquiries.id, ids)),
}

/** One page of all inquiries. `search` is matched literally against name, email and message; `#12` is inquiry 12. */
export const listInquiries = (db: Db, query: Query): Promise<Page<AdminInquiry>> => readPage(db, inquiryList, query)

/** Returns an inquiry. Throws 404 for an unknown id. */
export async function adminInquiry(db: Db | Tx, id: number): Promise<AdminInquiry> {
  const [row] = await adminInquiries(db).where(eq(inquiries.id, id))
  return row ?? notFound('Inquiry not found')
}
