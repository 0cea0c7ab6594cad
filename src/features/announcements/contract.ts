// The announcements of a customer, and whether the customer wants news by email.
import * as z from 'zod/mini'
import { siteAnnouncement } from '#features/settings/contract.ts'
import { get, postToPage, put } from '#kit/endpoint.ts'
import { instant } from '#kit/text.ts'

/** How many announcements a customer can read again. */
export const ownShown = 20

const ownAnnouncement = z.extend(siteAnnouncement, {
  /** Paragraphs; empty if the summary says all. */
  body: z.string(),
  publishedAt: instant,
  /** Whether it is shown on every page. */
  isShown: z.boolean(),
})
export type OwnAnnouncement = z.output<typeof ownAnnouncement>
export const listOwnAnnouncements = get('/api/announcements', {
  summary: `The newest ${ownShown} announcements for the caller`,
  access: 'member',
  dependsOn: ['announcement', 'subscription'],
  output: z.array(ownAnnouncement),
})

const newsChoice = z.object({
  /** Whether the caller wants emails with news and offers. */
  wanted: z.boolean(),
})
export const getNews = get('/api/news', {
  summary: 'Whether the caller gets emails with news',
  access: 'member',
  dependsOn: ['user'],
  output: z.extend(newsChoice, {
    /** News is sent only to confirmed addresses, unless the operator does not require confirmation. */
    needsConfirmedEmail: z.boolean(),
  }),
})
export const setNews = put('/api/news', {
  summary: 'Turn emails with news on or off',
  access: 'member',
  limit: 'write',
  body: newsChoice,
  output: newsChoice,
})

export const unsubscribe = postToPage('/unsubscribe', {
  summary: 'Turn emails with news off with the token of such an email, including in one click (RFC 8058)',
  access: 'public',
  limit: 'webhook',
  calledByMailPrograms: true,
  query: z.object({ token: z.string().check(z.maxLength(100)) }),
  output: z.object({ message: z.string() }),
})
