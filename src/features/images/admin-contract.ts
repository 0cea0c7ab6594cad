// The admin endpoint that stores an uploaded image.
import * as z from 'zod/mini'
import { post } from '#kit/endpoint.ts'

/** What an image is used for, which determines its size and format. */
export const imageUse = z.enum(['channel', 'logo', 'icon', 'guide'])
export type ImageUse = z.output<typeof imageUse>

/** A stored image: its path on this site and its size in pixels. `variants` are the paths of the same image in other sizes or formats. */
const storedImage = z.object({
  path: z.string(),
  width: z.int(),
  height: z.int(),
  variants: z.record(z.string(), z.string()),
})
export type StoredImage = z.output<typeof storedImage>

export const uploadImage = post('/api/admin/images', {
  summary:
    'Store an image: PNG, JPEG or WebP of at most 2 MB and 4096 pixels per side. The image is decoded and encoded again',
  access: 'admin',
  needs: ['catalog.edit', 'settings.edit'],
  limit: 'adminWrite',
  upload: 'image/*',
  query: z.object({ use: imageUse }),
  body: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
  output: storedImage,
})
