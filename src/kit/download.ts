import * as z from 'zod/mini'

/** A file as a handler hands it over. Its name goes into a header, so it holds nothing that could end one. */
export const download = z.object({
  name: z.string().check(z.regex(/^[\w-]+\.[a-z]+$/)),
  bytes: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
})
export type Download = z.output<typeof download>
