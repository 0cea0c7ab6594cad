/** Pages that look the same to every visitor: kept as ready bytes, listed in the sitemap, and the only ones with a chat. */
export const publicPaths = [
  '/',
  '/channels',
  '/channels/lineup',
  '/pricing',
  '/devices',
  '/faq',
  '/contact',
  '/setup',
  '/terms',
  '/privacy',
  '/refund-policy',
  '/cookies',
  '/dmca',
] as const
export type PublicPath = (typeof publicPaths)[number]

export const isPublicPath = (path: string): path is PublicPath => (publicPaths as readonly string[]).includes(path)
