import * as z from 'zod/mini'

/** A file name; it goes into a header, so only safe characters are allowed. */
const name = z.string().check(z.regex(/^[\w-]+\.[a-z]+$/))

/** A file returned by a handler. */
export const download = z.object({
  name,
  bytes: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
})
export type Download = z.output<typeof download>

/** A CSV file that is streamed while it is generated. */
export const csvFile = z.object({
  name,
  text: z.custom<AsyncIterable<string>>(
    (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  ),
})
export type CsvFile = z.output<typeof csvFile>

/** A picture that pages show. The type was detected from the bytes. */
export const picture = z.object({
  type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  bytes: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
})
