import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { claimImage } from '#features/images/server/image-store.ts'
import type { Tx } from '#server/db/connect.ts'
import { channels, deviceCategories, faqs, setupGuides } from '#server/db/tables.ts'

type Editable = typeof channels | typeof deviceCategories | typeof faqs | typeof setupGuides
type Kind = 'channel' | 'device_category' | 'faq' | 'setup_guide'
/** A list whose entries have versions and are edited by the same functions. */
export type CatalogResource<T extends Editable = Editable, K extends Kind = Kind> = {
  table: T
  /** The target type in the audit log, the topic of change events and the prefix of error codes. */
  type: K
  /** The name of an entry in error messages. */
  noun: string
  /** The unique constraint, with the field and message of its violation. */
  unique: { constraint: string; field: string; message: string }
  /** Runs in the transaction that stores these fields. Throws 400 with the field. */
  prepare?: (tx: Tx, fields: Partial<T['$inferInsert']>) => Promise<void>
  /** The position column of a list that administrators sort. */
  position?: { column: AnyPgColumn; field: string }
}

export const channelResource: CatalogResource<typeof channels, 'channel'> = {
  table: channels,
  type: 'channel',
  noun: 'channel',
  unique: {
    constraint: 'channels_category_name_key',
    field: 'name',
    message: 'A channel with this name already exists in this category',
  },
  prepare: async (tx, { logo }) => {
    if (logo !== undefined) await claimImage(tx, logo, 'logo')
  },
}
export const deviceResource: CatalogResource<typeof deviceCategories, 'device_category'> = {
  table: deviceCategories,
  type: 'device_category',
  noun: 'device category',
  unique: {
    constraint: 'device_categories_name_key',
    field: 'name',
    message: 'A device category with this name already exists',
  },
  position: { column: deviceCategories.position, field: 'position' },
}
export const faqResource: CatalogResource<typeof faqs, 'faq'> = {
  table: faqs,
  type: 'faq',
  noun: 'question',
  unique: { constraint: 'faqs_question_key', field: 'question', message: 'This question already exists' },
  position: { column: faqs.order, field: 'order' },
}

export const guideResource: CatalogResource<typeof setupGuides, 'setup_guide'> = {
  table: setupGuides,
  type: 'setup_guide',
  noun: 'setup guide',
  unique: { constraint: 'setup_guides_device_key', field: 'device', message: 'This device already has a guide' },
  prepare: async (tx, { steps = [] }) => {
    for (const [index, { picture }] of steps.entries()) await claimImage(tx, picture, `steps.${index}.picture`)
  },
  position: { column: setupGuides.position, field: 'position' },
}

/** The resources whose entries administrators can add and delete. */
export type ExtensibleResource = typeof channelResource | typeof deviceResource | typeof faqResource

/** The administrator who makes a change, and the id of the request. */
export type Editor = { id: number; requestId: string }
