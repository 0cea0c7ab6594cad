// Admin endpoints of the brand: its draft, the public brand, and earlier versions.
import * as z from 'zod/mini'
import { brand as storedBrand } from '#features/settings/contract.ts'
import { del, get, post, put } from '#kit/endpoint.ts'
import { id, idParam, singleLine } from '#kit/text.ts'

/** The brand as administrators edit it: stricter than what is stored, with messages for the form. */
export const brandForm = z.object({
  ...storedBrand.shape,
  name: singleLine(1, 60, 'Please enter the name'),
  hue: z.int('Please choose a hue from 0 to 359').check(z.gte(0), z.lte(359)),
  headline: singleLine(1, 60, 'Please enter the headline'),
  tagline: singleLine(1, 80, 'Please enter the tagline'),
  plans: z.array(singleLine(1, 24, 'Please enter the plan name')).check(
    z.length(4),
    z.refine((names) => new Set(names).size === names.length, 'Please use four different names'),
  ),
})

const publishedVersion = z.object({
  id,
  publishedAt: z.string(),
  /** The administrator who published the version; null for the brand that was public before the first publication. */
  by: z.nullable(z.string()),
  value: storedBrand,
})

/** `version` identifies the public brand and the draft that were read. */
const studio = z.object({
  version: z.string(),
  live: storedBrand,
  draft: z.nullable(storedBrand),
  /** Newest first; the first one is public. */
  versions: z.array(publishedVersion),
})
export type BrandStudioState = z.output<typeof studio>
const version = z.string().check(z.maxLength(64))
const edit = z.object({ version, value: brandForm })
const write = { access: 'admin', limit: 'adminWrite' } as const

export const getBrand = get('/api/admin/brand', {
  summary: 'The public brand, its draft and earlier versions',
  access: 'admin',
  needs: 'settings.read',
  dependsOn: ['setting'],
  output: studio,
})
export const saveBrandDraft = put('/api/admin/brand/draft', {
  summary: 'Save a draft of the brand, which is not public; rejected when the version is outdated',
  ...write,
  needs: 'settings.edit',
  body: edit,
  output: studio,
})
export const discardBrandDraft = del('/api/admin/brand/draft', {
  summary: 'Discard the draft of the brand',
  ...write,
  needs: 'settings.edit',
  output: studio,
})
export const publishBrand = post('/api/admin/brand/publish', {
  summary: 'Publish the brand and rename the plans; rejected when the version is outdated; audited',
  ...write,
  needs: 'settings.edit',
  body: edit,
  output: studio,
})
export const restoreBrand = post('/api/admin/brand/versions/:versionId/restore', {
  summary: 'Publish an earlier version of the brand again; audited',
  ...write,
  needs: 'settings.edit',
  params: z.object({ versionId: idParam }),
  output: studio,
})
