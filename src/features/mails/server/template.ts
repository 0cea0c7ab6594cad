import * as z from 'zod/mini'
import type { PaymentMethods, Site } from '#features/settings/contract.ts'
import type { Block } from '#kit/mail-body.ts'

/** What a template can use: the operator's settings, the site's address, and the link that only the recipient may see. */
export type TemplateContext = {
  brand: string
  origin: string
  claims: Site['claims']
  playerUrl: string
  payments: PaymentMethods
  /** Absolute URL of the secret link. In the mail log and in previews, the URL has no token. */
  link: string
}
export type MailContent = {
  subject: string
  preview: string
  heading: string
  blocks: Block[]
  reason?: string
  /** Replies to this email are expected: `Reply-To` is the payment mailbox, if there is one. */
  expectsAnswer?: true
  /** Turns off emails of this kind in one click, without a login. */
  unsubscribeUrl?: string
}

type TemplateDefinition<S extends z.core.$ZodType> = {
  /** The name of the template in the mail log. */
  title: string
  data: S
  /** For previews and test emails. */
  sample: z.input<S>
  /** Path of the page that the secret link opens, without the token. */
  linksTo?: `/${string}`
  /** Returns the number of the invoice to attach as a PDF. */
  attaches?: (data: z.output<S>) => string
  write: (data: z.output<S>, context: TemplateContext) => MailContent
}

export type Template<D = unknown> = Pick<TemplateDefinition<z.core.$ZodType>, 'title' | 'linksTo'> & {
  sample: D
  /** Returns the content of the email and the number of the invoice to attach. Throws ZodError when `data` does not match the schema. */
  fill: (data: unknown, context: TemplateContext) => { content: MailContent; invoiceNumber?: string }
}

/** Defines a template whose data is typed and validated by its schema. */
export const template = <S extends z.core.$ZodType>({
  title,
  data: schema,
  sample,
  linksTo,
  attaches,
  write,
}: TemplateDefinition<S>): Template<z.input<S>> => ({
  title,
  sample,
  linksTo,
  fill: (input, context) => {
    const data = z.parse(schema, input)
    return { content: write(data, context), invoiceNumber: attaches?.(data) }
  },
})
