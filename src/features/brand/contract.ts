import * as z from 'zod/mini'
import { getFile } from '#kit/endpoint.ts'

export const getAccent = getFile('/accent/:file', {
  summary: 'The style sheet of an accent hue; its URL contains everything that it depends on',
  access: 'public',
  file: 'text/css',
  params: z.object({ file: z.string().check(z.regex(/^v1-(0|[1-9]\d?|[12]\d\d|3[0-5]\d)\.css$/)) }),
  output: z.string(),
})
