import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { channels, deviceCategories, faqs } from '#server/db/tables.ts'
import { listAllChannels, listAllDeviceCategories, listAllFaqs } from '../../contract.ts'

type Editable = typeof channels | typeof deviceCategories | typeof faqs
type Kind = 'channel' | 'device_category' | 'faq'
/** What is edited the same way: a list of entries with a version each. */
export type CatalogueResource<T extends Editable = Editable, K extends Kind = Kind> = {
  table: T
  /** What an entry is called in the audit log and in refusals. */
  type: K
  noun: string
  /** The answer that changes for administrators. */
  list: { id: string }
  /** The constraint that keeps entries apart, and the field that has to be mended. */
  taken: { constraint: string; field: string; message: string }
  /** Where an entry stands, when the operator arranges them. */
  position?: { column: AnyPgColumn; field: string }
}

export const channelResource: CatalogueResource<typeof channels, 'channel'> = {
  table: channels,
  type: 'channel',
  noun: 'channel',
  list: listAllChannels,
  taken: {
    constraint: 'channels_category_name_key',
    field: 'name',
    message: 'There is a channel of this name in this category already',
  },
}
export const deviceResource: CatalogueResource<typeof deviceCategories, 'device_category'> = {
  table: deviceCategories,
  type: 'device_category',
  noun: 'device category',
  list: listAllDeviceCategories,
  taken: {
    constraint: 'device_categories_name_key',
    field: 'name',
    message: 'There is a device category of this name already',
  },
  position: { column: deviceCategories.position, field: 'position' },
}
export const faqResource: CatalogueResource<typeof faqs, 'faq'> = {
  table: faqs,
  type: 'faq',
  noun: 'question',
  list: listAllFaqs,
  taken: { constraint: 'faqs_question_key', field: 'question', message: 'This question is in the list already' },
  position: { column: faqs.order, field: 'order' },
}

/** Who changes something, and in which request. */
export type Editor = { id: number; requestId: string }
