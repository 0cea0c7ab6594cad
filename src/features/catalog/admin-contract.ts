import * as z from 'zod/mini'
import { get, post } from '#kit/endpoint.ts'

/** The lists that a first start fills with samples. */
export const sampleKinds = ['plans', 'channels', 'deviceCategories', 'faqs'] as const
export type SampleKind = (typeof sampleKinds)[number]

const ofEach = <T extends z.core.$ZodType>(of: T) =>
  z.object({ plans: of, channels: of, deviceCategories: of, faqs: of })
/** `removable`: as the first start made them and used nowhere. `kept`: edited since or in use, so they stay. */
const sampleCounts = ofEach(z.object({ removable: z.int(), kept: z.int() }))
export type SampleCounts = z.output<typeof sampleCounts>

export const getSampleContent = get('/api/admin/sample-content', {
  summary: 'How much of the sample catalog is left, and how much of it can be removed',
  access: 'admin',
  output: sampleCounts,
})
export const removeSampleContent = post('/api/admin/sample-content/remove', {
  summary:
    'Remove the sample entries that were never edited and are used nowhere; refused when they are not as many as expected; audited',
  access: 'admin',
  limit: 'adminWrite',
  /** How many of each were shown as removable. */
  body: ofEach(z.int().check(z.gte(0), z.lte(100_000))),
  output: sampleCounts,
})
