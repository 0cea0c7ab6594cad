// Admin endpoints that edit the catalog: plans, channels, device categories, questions, and the sample entries.
// Every entry has a version, and an update or deletion with an outdated version is rejected.
import * as z from 'zod/mini'
import { del, get, post, put } from '#kit/endpoint.ts'
import { listQuery } from '#kit/lists.ts'
import { id, idParam, ownPath, paragraph, rowVersion, singleLine } from '#kit/text.ts'
import { parseDollars } from '#kit/typed-money.ts'
import { channel, channelCategory, deviceCategory, deviceIcons, faq, plan } from './contract.ts'

const versionQuery = z.object({ version: idParam })
const deleted = z.object({ id })
/** Moves an entry one position up or down. */
const move = z.object({ move: z.enum(['up', 'down']) })
const textItems = (missing: string) =>
  z.array(singleLine(1, 120, missing)).check(z.maxLength(24, 'Please enter at most 24 items'))
const write = { access: 'admin', needs: 'catalog.edit', limit: 'adminWrite' } as const
const read = { access: 'admin', needs: 'catalog.read' } as const

const priceMessage = 'Please enter a price such as 14.99'
const planFields = {
  tier: z.int('Please select a group').check(z.gte(1), z.lte(4)),
  connections: z
    .int('Please enter the number of connections')
    .check(z.gte(1, 'Please enter at least 1'), z.lte(100, 'Please enter at most 100')),
  price: z.int(priceMessage).check(z.gte(0, priceMessage), z.lte(10_000_000, 'Please enter at most 100000.00')),
  features: textItems('Please enter the feature or remove it'),
  popular: z.boolean(),
  hidden: z.boolean(),
}
const onlyOnSale = z.refine<{ popular: boolean; hidden: boolean }>(({ popular, hidden }) => !(popular && hidden), {
  path: ['popular'],
  message: 'A hidden plan cannot be the popular choice',
})
/** A price typed in dollars; parsed to cents. */
const typedPrice = z.pipe(
  z
    .string(priceMessage)
    .check(z.refine((typed) => parseDollars(typed) !== null, { message: priceMessage, abort: true })),
  z.pipe(
    z.transform((typed: string) => parseDollars(typed) ?? 0),
    planFields.price,
  ),
)
/** The name, months and billing period are derived from the group and the connections. */
export const newPlan = z.object(planFields).check(onlyOnSale)
export const planEdit = z.object({ ...planFields, version: rowVersion }).check(onlyOnSale)
/** The schema of the form, where the price is typed in dollars. */
export const planForm = z.object({ ...planFields, price: typedPrice }).check(onlyOnSale)
export type PlanFields = z.output<typeof newPlan>
/** `sold`: an invoice, a subscription or an inquiry refers to the plan, so it cannot be deleted. */
export const adminPlan = z.object({ ...plan.shape, hidden: z.boolean(), version: rowVersion, sold: z.boolean() })
export type AdminPlan = z.output<typeof adminPlan>

const logoPathMessage = 'Please enter a path on this site, such as /logos/harbor.png'
const channelFields = {
  name: singleLine(1, 120, 'Please enter the name'),
  category: z.enum(channelCategory.options, 'Please select a category'),
  /** Empty for the logo that is generated from the name. */
  logo: z.union([z.literal(''), ownPath(logoPathMessage)]),
  previewUrl: z.union([z.literal(''), ownPath('Please enter a path on this site, such as /previews/bars/index.m3u8')]),
  featured: z.boolean(),
  hidden: z.boolean(),
}
export const newChannel = z.object(channelFields)
export const channelEdit = z.object({ ...channelFields, version: rowVersion })
export const adminChannel = z.object({ ...channel.shape, hidden: z.boolean(), version: rowVersion })
export type AdminChannel = z.output<typeof adminChannel>
export const channelSorts = ['name', 'category', 'id'] as const
const channelQuery = listQuery(channelSorts, { status: z.optional(channelCategory) })

const deviceFields = {
  name: singleLine(1, 80, 'Please enter the name'),
  icon: z.enum(deviceIcons, 'Please select an icon'),
  devices: textItems('Please enter the device or remove it').check(z.minLength(1, 'Please enter at least one device')),
  hidden: z.boolean(),
}
export const newDeviceCategory = z.object(deviceFields)
export const deviceCategoryEdit = z.object({ ...deviceFields, version: rowVersion })
export const adminDeviceCategory = z.object({ ...deviceCategory.shape, hidden: z.boolean(), version: rowVersion })
export type AdminDeviceCategory = z.output<typeof adminDeviceCategory>

const faqFields = {
  question: singleLine(5, 200, 'Please enter the question'),
  answer: paragraph(5, 4_000, 'Please enter the answer'),
  hidden: z.boolean(),
}
export const newFaq = z.object(faqFields)
export const faqEdit = z.object({ ...faqFields, version: rowVersion })
export const adminFaq = z.object({ ...faq.shape, hidden: z.boolean(), version: rowVersion })
export type AdminFaq = z.output<typeof adminFaq>

const planPath = z.object({ planId: idParam })
export const listAllPlans = get('/api/admin/plans', {
  summary: 'All plans, including hidden ones',
  ...read,
  dependsOn: ['plan'],
  output: z.array(adminPlan),
})
export const createPlan = post('/api/admin/plans', {
  summary: 'Add a plan',
  ...write,
  body: newPlan,
  output: adminPlan,
})
export const updatePlan = put('/api/admin/plans/:planId', {
  summary: 'Change a plan; existing invoices do not change',
  ...write,
  params: planPath,
  body: planEdit,
  output: adminPlan,
})
export const deletePlan = del('/api/admin/plans/:planId', {
  summary: 'Delete a plan that was never sold',
  ...write,
  params: planPath,
  query: versionQuery,
  output: deleted,
})

const channelPath = z.object({ channelId: idParam })
export const listAllChannels = get('/api/admin/channels', {
  summary: 'Channels, including hidden ones; status is the category',
  ...read,
  dependsOn: ['channel'],
  paged: true,
  query: channelQuery,
  output: z.array(adminChannel),
})
export const createChannel = post('/api/admin/channels', {
  summary: 'Add a channel',
  ...write,
  body: newChannel,
  output: adminChannel,
})
export const updateChannel = put('/api/admin/channels/:channelId', {
  summary: 'Change a channel',
  ...write,
  params: channelPath,
  body: channelEdit,
  output: adminChannel,
})
export const deleteChannel = del('/api/admin/channels/:channelId', {
  summary: 'Delete a channel that is on no watchlist',
  ...write,
  params: channelPath,
  query: versionQuery,
  output: deleted,
})

const devicePath = z.object({ categoryId: idParam })
export const listAllDeviceCategories = get('/api/admin/device-categories', {
  summary: 'Device categories, including hidden ones',
  ...read,
  dependsOn: ['device_category'],
  output: z.array(adminDeviceCategory),
})
export const createDeviceCategory = post('/api/admin/device-categories', {
  summary: 'Add a device category',
  ...write,
  body: newDeviceCategory,
  output: adminDeviceCategory,
})
export const updateDeviceCategory = put('/api/admin/device-categories/:categoryId', {
  summary: 'Change a device category',
  ...write,
  params: devicePath,
  body: deviceCategoryEdit,
  output: adminDeviceCategory,
})
export const moveDeviceCategory = put('/api/admin/device-categories/:categoryId/position', {
  summary: 'Move a device category one position',
  ...write,
  params: devicePath,
  body: move,
  output: z.array(adminDeviceCategory),
})
export const deleteDeviceCategory = del('/api/admin/device-categories/:categoryId', {
  summary: 'Delete a device category',
  ...write,
  params: devicePath,
  query: versionQuery,
  output: deleted,
})

const faqPath = z.object({ faqId: idParam })
export const listAllFaqs = get('/api/admin/faqs', {
  summary: 'Questions and answers, including hidden ones',
  ...read,
  dependsOn: ['faq'],
  output: z.array(adminFaq),
})
export const createFaq = post('/api/admin/faqs', {
  summary: 'Add a question',
  ...write,
  body: newFaq,
  output: adminFaq,
})
export const updateFaq = put('/api/admin/faqs/:faqId', {
  summary: 'Change a question',
  ...write,
  params: faqPath,
  body: faqEdit,
  output: adminFaq,
})
export const moveFaq = put('/api/admin/faqs/:faqId/position', {
  summary: 'Move a question one position',
  ...write,
  params: faqPath,
  body: move,
  output: z.array(adminFaq),
})
export const deleteFaq = del('/api/admin/faqs/:faqId', {
  summary: 'Delete a question',
  ...write,
  params: faqPath,
  query: versionQuery,
  output: deleted,
})

/** The lists that the first start fills with sample entries. */
export const sampleKinds = ['plans', 'channels', 'deviceCategories', 'faqs'] as const
export type SampleKind = (typeof sampleKinds)[number]

const ofEach = <T extends z.core.$ZodType>(of: T) =>
  z.object({ plans: of, channels: of, deviceCategories: of, faqs: of })
/** `removable`: sample entries that were never edited and are not in use. `kept`: edited or in use, so they stay. */
const sampleCounts = ofEach(z.object({ removable: z.int(), kept: z.int() }))
export type SampleCounts = z.output<typeof sampleCounts>

export const getSampleContent = get('/api/admin/sample-content', {
  summary: 'The number of sample entries that can be removed, and of those that are kept',
  access: 'admin',
  needs: 'catalog.read',
  dependsOn: ['sample_content'],
  output: sampleCounts,
})
export const removeSampleContent = post('/api/admin/sample-content/remove', {
  summary:
    'Remove the sample entries that were never edited and are not in use; rejected when their number is not as expected; audited',
  access: 'admin',
  needs: 'catalog.edit',
  limit: 'adminWrite',
  /** For each list, the number of removable entries that the administrator was shown. */
  body: ofEach(z.int().check(z.gte(0), z.lte(100_000))),
  output: sampleCounts,
})
