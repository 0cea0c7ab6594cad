import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../columns.ts'

/** Which installation the database belongs to, in one row (`server/installation.ts`). */
export const installation = pgTable('installation', {
  id: integer('id').primaryKey().default(1),
  place: text('place'),
  address: text('address'),
  liveSince: instant('live_since'),
  restoredAt: instant('restored_at'),
  otherAddress: text('other_address'),
  otherOpenedAt: instant('other_opened_at'),
  backedUpAt: instant('backed_up_at'),
})
