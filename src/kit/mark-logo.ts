/** Prefix of a logo without an image. */
export const markPrefix = 'mark:'
/** A logo without an image: a mark that is generated from this name. */
export const markLogo = (name: string): string => markPrefix + name
/** The name from which the mark is generated, or null when the logo is the path of an image. */
export const markName = (logo: string): string | null =>
  logo.startsWith(markPrefix) ? logo.slice(markPrefix.length) : null
