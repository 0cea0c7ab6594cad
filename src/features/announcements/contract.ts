// Endpoints with which customers read their announcements and turn news emails on or off.
import * as z from 'zod/mini'
import { siteAnnouncement } from '#features/settings/contract.ts'
import { get, postToPage, put } from '#kit/endpoint.ts'
import { instant } from '#kit/text.ts'

/** The maximum number of announcements that a customer can read again. */
export const maxOwnAnnouncements = 20

const ownAnnouncement = z.extend(siteAnnouncement, {
  /** Further paragraphs; empty if there is only a summary. */
  body: z.string(),
  publishedAt: instant,
  /** Whether the announcement is shown on every page now. */
  isShown: z.boolean(),
})
export type OwnAnnouncement = z.output<typeof ownAnnouncement>
export const listOwnAnnouncements = get('/api/announcements', {
  summary: `The newest ${maxOwnAnnouncements} announcements for the caller`,
  access: 'member',
  dependsOn: ['announcement', 'subscription'],
  output: z.array(ownAnnouncement),
})

const newsChoice = z.object({
  /** Whether the caller wants emails with news and offers. */
  wanted: z.boolean(),
})
export const getNews = get('/api/news', {
  summary: 'Whether the caller wants news emails',
  access: 'member',
  dependsOn: ['user'],
  output: z.extend(newsChoice, {
    /** Whether the caller must confirm the email address before news is sent to it. */
    needsConfirmedEmail: z.boolean(),
  }),
})
export const setNews = put('/api/news', {
  summary: 'Turn news emails on or off',
  access: 'member',
  limit: 'write',
  body: newsChoice,
  output: newsChoice,
})

export const unsubscribe = postToPage('/unsubscribe', {
  summary: 'Turn news emails off with the token from a news email, including in one click (RFC 8058)',
  access: 'public',
  limit: 'webhook',
  calledByMailPrograms: true,
  query: z.object({ token: z.string().check(z.maxLength(100)) }),
  output: z.object({ message: z.string() }),
})
