import type { ChannelCategory } from '../../contract.ts'

// The first match is used, so leagues come before sports in general. Adult content gets no suggestion.
const patterns: [RegExp, ChannelCategory | null][] = [
  [/\b(adults?|x{3}|18\+)/i, null],
  [/\bnba\b|basketball/i, 'nba_teams'],
  [/\bnfl\b/i, 'nfl_teams'],
  [/\bnhl\b|hockey/i, 'nhl_teams'],
  [/soccer|\bepl\b|premier league|la ?liga|bundesliga|serie a|ligue 1|\bmls\b|champions league|f[uú]tbol/i, 'soccer'],
  [/sport|ppv|boxing|\bufc\b|wrestling|racing|golf|tennis|cricket|events?\b/i, 'sports'],
  [/movie|cinema|film/i, 'movies'],
  [/news/i, 'news'],
  [/kids?\b|child|cartoon|family/i, 'kids'],
  [/entertainment|general|series|comedy|drama|document|lifestyle|music/i, 'entertainment'],
  [
    /international|latino|arab|african|asia|europe|france|german|ital|spain|portug|turk|india|brazil|polsk|poland/i,
    'international',
  ],
]
/** Returns the catalog category that fits the name of a panel's category; null if no pattern matches. */
export const suggestCategory = (name: string): ChannelCategory | null =>
  patterns.find(([pattern]) => pattern.test(name))?.[1] ?? null
