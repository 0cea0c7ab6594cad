import * as z from 'zod/mini'
import { mailSubject } from '#features/tickets/rules.ts'
import { button, compactBlocks, quote, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const ticketReply = template({
  title: 'Answer to a message',
  data: z.object({
    subject: z.string(),
    token: z.string(),
    body: z.string(),
    hasAccount: z.boolean(),
    /** How many pictures the reply has. They are shown in the account only. */
    pictures: z.optional(z.int()),
  }),
  sample: {
    subject: 'Do you offer a plan for a small hotel?',
    token: '4F0C9A7B21D3E8',
    body: 'Yes: with Beast, up to five screens can play at the same time.',
    hasAccount: true,
    pictures: 1,
  },
  write: ({ subject, token, body, hasAccount, pictures = 0 }, { origin, brand }) => ({
    subject: mailSubject(subject, token),
    preview: body.slice(0, 100),
    heading: 'We answered your message',
    blocks: compactBlocks(
      quote(brand, body),
      pictures > 0 &&
        text(pictures === 1 ? 'A picture is in your account.' : `${pictures} pictures are in your account.`),
      hasAccount && button('See the conversation', `${origin}/messages`),
      text('You can reply to this email. Please keep the code in the subject, so that we can match your answer.'),
    ),
    reason: 'You received this email because you wrote to us.',
    expectsAnswer: true,
  }),
})
