/** Pages that are the same for every visitor: cached by the server, listed in the sitemap, and the only pages with the live chat. */
export const publicPaths = [
  '/',
  '/channels',
  '/channels/lineup',
  '/pricing',
  '/devices',
  '/faq',
  '/contact',
  '/setup',
  '/status',
  '/terms',
  '/privacy',
  '/refund-policy',
  '/cookies',
  '/dmca',
] as const
export type PublicPath = (typeof publicPaths)[number]

export const isPublicPath = (path: string): path is PublicPath => (publicPaths as readonly string[]).includes(path)
