import * as z from 'zod/mini'
import type { PaymentMethods, Site } from '#features/settings/contract.ts'
import type { Block } from '#kit/letter.ts'

/** What every template may ask: the operator's words, where the site is, and the link that only this mail's reader may see. */
export type Desk = {
  brand: string
  origin: string
  claims: Site['claims']
  playerUrl: string
  payments: PaymentMethods
  /** Absolute. In the mail log and in previews of others it is a page of the site without its token. */
  link: string
}
export type Words = { subject: string; preview: string; heading: string; blocks: Block[]; reason?: string }

type Made<S extends z.core.$ZodType> = {
  /** What the mail log calls it. */
  title: string
  data: S
  /** For previews and test mails. */
  sample: z.input<S>
  /** Where the link leads that it carries, without its token. */
  linksTo?: `/${string}`
  /** The invoice of this number goes with it as a PDF. */
  attaches?: (data: z.output<S>) => string
  write: (data: z.output<S>, desk: Desk) => Words
}

export type Template<D = unknown> = Pick<Made<z.core.$ZodType>, 'title' | 'linksTo'> & {
  sample: D
  /** What the mail says and what goes with it. Throws ZodError when `data` is not what the template needs. */
  fill: (data: unknown, desk: Desk) => { words: Words; invoiceNumber?: string }
}

/** A template, its data typed and checked by its schema. */
export const template = <S extends z.core.$ZodType>({
  title,
  data: schema,
  sample,
  linksTo,
  attaches,
  write,
}: Made<S>): Template<z.input<S>> => ({
  title,
  sample,
  linksTo,
  fill: (given, desk) => {
    const data = z.parse(schema, given)
    return { words: write(data, desk), invoiceNumber: attaches?.(data) }
  },
})
