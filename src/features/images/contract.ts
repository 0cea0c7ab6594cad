import * as z from 'zod/mini'
import { picture } from '#kit/download.ts'
import { getFile } from '#kit/endpoint.ts'

export const getImage = getFile('/images/:file', {
  summary: 'A stored image by the hash of its content',
  access: 'public',
  file: 'image/*',
  params: z.object({ file: z.string().check(z.regex(/^[0-9a-f]{64}\.(webp|png|jpeg)$/)) }),
  output: picture,
})
