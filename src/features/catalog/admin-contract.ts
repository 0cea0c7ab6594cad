import * as z from 'zod/mini'
import { get, post } from '#kit/endpoint.ts'

/** The lists that the first start fills with sample entries. */
export const sampleKinds = ['plans', 'channels', 'deviceCategories', 'faqs'] as const
export type SampleKind = (typeof sampleKinds)[number]

const ofEach = <T extends z.core.$ZodType>(of: T) =>
  z.object({ plans: of, channels: of, deviceCategories: of, faqs: of })
/** `removable`: sample entries that were never edited and are not in use. `kept`: edited or in use, so they stay. */
const sampleCounts = ofEach(z.object({ removable: z.int(), kept: z.int() }))
export type SampleCounts = z.output<typeof sampleCounts>

export const getSampleContent = get('/api/admin/sample-content', {
  summary: 'The number of sample entries that are left and that can be removed',
  access: 'admin',
  output: sampleCounts,
})
export const removeSampleContent = post('/api/admin/sample-content/remove', {
  summary:
    'Remove the sample entries that were never edited and are not in use; rejected when their number is not as expected; audited',
  access: 'admin',
  limit: 'adminWrite',
  /** How many of each the administrator was shown as removable. */
  body: ofEach(z.int().check(z.gte(0), z.lte(100_000))),
  output: sampleCounts,
})
