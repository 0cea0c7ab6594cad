import type { Channel } from './contract.ts'

/** Returns a text in the form in which a search compares it: in lower case, without accents and punctuation. */
export const normalizedForSearch = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Returns the channels whose names contain all words of a search, in their given order; all channels for an empty search. */
export function findChannels(channels: Channel[], search: string): Channel[] {
  const words = normalizedForSearch(search).split(' ').filter(Boolean)
  if (words.length === 0) return search.trim() === '' ? channels : []
  return channels.filter(({ name }) => {
    const text = normalizedForSearch(name)
    return words.every((word) => text.includes(word))
  })
}
