// Admin endpoints that edit the guides of the setup page. The devices are fixed; a hidden guide is not offered.
import * as z from 'zod/mini'
import { get, put } from '#kit/endpoint.ts'
import { id, idParam, paragraph, rowVersion, singleLine } from '#kit/text.ts'
import { setupGuide } from './contract.ts'
import { belowStep, drawingOf, setupTabValues } from './setup-rules.ts'

const pictureMessage = 'Please select a drawing or upload an image'
const step = z.object({
  title: singleLine(1, 120, 'Please enter the title'),
  text: paragraph(1, 1_000, 'Please enter the text'),
  picture: z
    .string(pictureMessage)
    .check(
      z.refine(
        (picture) => drawingOf(picture) !== undefined || /^\/images\/[0-9a-f]{64}\.(webp|png|jpeg)$/.test(picture),
        pictureMessage,
      ),
    ),
  below: z.enum(Object.keys(belowStep) as (keyof typeof belowStep)[], 'Please select what is shown below the text'),
})
export type GuideStep = z.output<typeof step>

const addressMessage = 'Please enter an address that starts with https://'
const guideFields = {
  tab: z.enum(setupTabValues, 'Please select a tab'),
  app: singleLine(0, 120, 'Please enter the name of the app'),
  appUrl: z.union([z.literal(''), z.url({ protocol: /^https?$/, error: addressMessage }).check(z.maxLength(500))]),
  code: singleLine(0, 40, 'Please enter the code'),
  steps: z
    .array(step)
    .check(z.minLength(1, 'Please enter at least one step'), z.maxLength(12, 'Please enter at most 12 steps')),
  hidden: z.boolean(),
}
/** The schema of the form. */
export const guideForm = z.object(guideFields)
const guideEdit = z.object({ ...guideFields, version: rowVersion })
export const adminSetupGuide = z.object({ ...setupGuide.shape, id, hidden: z.boolean(), version: rowVersion })
export type AdminSetupGuide = z.output<typeof adminSetupGuide>

const write = { access: 'admin', limit: 'adminWrite' } as const
const guidePath = z.object({ guideId: idParam })

export const listAllSetupGuides = get('/api/admin/setup-guides', {
  summary: 'The guides of the setup page, including hidden ones',
  access: 'admin',
  needs: 'catalog.read',
  dependsOn: ['setup_guide'],
  output: z.array(adminSetupGuide),
})
export const updateSetupGuide = put('/api/admin/setup-guides/:guideId', {
  summary: 'Change the guide of a device',
  ...write,
  needs: 'catalog.edit',
  params: guidePath,
  body: guideEdit,
  output: adminSetupGuide,
})
export const moveSetupGuide = put('/api/admin/setup-guides/:guideId/position', {
  summary: 'Move a guide one position',
  ...write,
  needs: 'catalog.edit',
  params: guidePath,
  body: z.object({ move: z.enum(['up', 'down']) }),
  output: z.array(adminSetupGuide),
})
