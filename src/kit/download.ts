import * as z from 'zod/mini'

/** Goes into a header, so it holds nothing that could end one. */
const name = z.string().check(z.regex(/^[\w-]+\.[a-z]+$/))

/** A file as a handler hands it over. */
export const download = z.object({
  name,
  bytes: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
})
export type Download = z.output<typeof download>

/** A file that is sent while it is made, however long it gets. */
export const csvFile = z.object({
  name,
  text: z.custom<AsyncIterable<string>>(
    (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  ),
})
export type CsvFile = z.output<typeof csvFile>

/** A picture that pages show; its bytes were looked at. */
export const picture = z.object({
  type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  bytes: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
})
export type Picture = z.output<typeof picture>
