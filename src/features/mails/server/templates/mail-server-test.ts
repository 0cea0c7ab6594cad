import * as z from 'zod/mini'
import { facts, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const mailServerTest = template({
  title: 'Mail server test',
  data: z.object({ host: z.string() }),
  sample: { host: 'smtp.mail.example' },
  write: ({ host }, { brand }) => ({
    subject: `Test email from ${brand}`,
    preview: 'The mail server accepted this email.',
    heading: 'The mail server works',
    blocks: [text('The mail server accepted this email, so its settings can be saved.'), facts(['Mail server', host])],
  }),
})
