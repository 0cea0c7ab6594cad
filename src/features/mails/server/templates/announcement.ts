import * as z from 'zod/mini'
import { ownPath } from '#kit/text.ts'
import { button, compactBlocks, text } from '../mail-blocks.ts'
import { type MailContent, type TemplateContext, template } from '../template.ts'

const data = z.object({
  title: z.string(),
  summary: z.string(),
  /** Paragraphs, separated by empty lines; may be empty. */
  body: z.string(),
  linkLabel: z.string(),
  /** A page of this site; empty without a link. */
  linkPath: z.union([z.literal(''), ownPath('A path on this site')]),
})
const sample = {
  title: 'Twelve new sports channels',
  summary: 'From December 1 you can watch twelve more sports channels with every plan.',
  body: 'You do not have to do anything: the channels appear in your list.\n\nAll of them have a program guide.',
  linkLabel: 'See the channels',
  linkPath: '/channels',
}

const write = (
  { title, summary, body, linkLabel, linkPath }: z.output<typeof data>,
  { origin }: TemplateContext,
): MailContent => ({
  subject: title,
  preview: summary,
  heading: title,
  blocks: compactBlocks(
    text(summary),
    ...body
      .split(/\n\s*\n/)
      .filter((paragraph) => paragraph.trim() !== '')
      .map((paragraph) => text(paragraph.trim())),
    linkPath !== '' && button(linkLabel, origin + linkPath),
  ),
})

/** News and offers. Its secret link turns them off. */
export const announcement = template({
  title: 'Announcement: news',
  data,
  sample,
  linksTo: '/unsubscribe',
  write: (content, context) => ({
    ...write(content, context),
    reason: `You received this email because you turned on news by email at ${context.brand}.`,
    unsubscribeUrl: context.link,
  }),
})

/** A change that concerns the customer's subscription or account. */
export const serviceAnnouncement = template({
  title: 'Announcement: about the service',
  data,
  sample: {
    ...sample,
    title: 'New payment address from December 1',
    summary: 'From December 1, please send Cash App payments to the new cashtag on your invoice.',
    body: '',
    linkLabel: 'See my invoices',
    linkPath: '/invoices',
  },
  write: (content, context) => ({
    ...write(content, context),
    reason: `You received this email because it concerns your account at ${context.brand}.`,
  }),
})
