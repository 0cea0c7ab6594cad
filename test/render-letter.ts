import type { RenderLetter } from '#server/http.ts'
import type { PageBundle } from '#server/ssr.ts'

// Named indirectly: the server's types know no page.
const source = '../src/web/mail/render-letter.tsx'

/** A mail as HTML from the pages' own sources, without a build of them. */
export const renderLetter: RenderLetter = async (letter) => ((await import(source)) as Pick<PageBundle, 'renderLetter'>).renderLetter(letter)
