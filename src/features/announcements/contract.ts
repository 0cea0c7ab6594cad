// Announcements as visitors and customers see them, and whether a customer wants news by email.
import * as z from 'zod/mini'
import { get, postToPage, put } from '#kit/endpoint.ts'
import { id, instant } from '#kit/text.ts'

/** What the site shows of an announcement. */
export const announcement = z.object({
  id,
  title: z.string(),
  summary: z.string(),
  /** A page of this site; both are empty without one. */
  linkLabel: z.string(),
  linkPath: z.string(),
})
export type Announcement = z.output<typeof announcement>

/** How many announcements the site shows at the same time. */
export const shownAtOnce = 3
/** How many announcements a customer can read again. */
export const ownShown = 20

const ownAnnouncement = z.extend(announcement, {
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
    /** News are sent to confirmed addresses only, unless the operator does not ask for the confirmation. */
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
  summary: 'Turn emails with news off with the token of such an email, also in one click (RFC 8058)',
  access: 'public',
  limit: 'webhook',
  calledByMailPrograms: true,
  query: z.object({ token: z.string().check(z.maxLength(100)) }),
  output: z.object({ message: z.string() }),
})
