import type { Channel } from './contract.ts'

/** A text for comparison: lower case, without accents and punctuation. */
export const searchable = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The channels whose names contain all words of a search, in their order; all for an empty search. */
export function findChannels(channels: Channel[], search: string): Channel[] {
  const words = searchable(search).split(' ').filter(Boolean)
  if (words.length === 0) return search.trim() === '' ? channels : []
  return channels.filter(({ name }) => {
    const text = searchable(name)
    return words.every((word) => text.includes(word))
  })
}
